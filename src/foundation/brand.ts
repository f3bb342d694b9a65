declare const brand: unique symbol;

/** A number or string whose range was checked once, at the place that makes it: `Brand<number, 'Weight'>`. */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };
