import type { AxiosRequestConfig } from 'axios';

/**
 * axios as a plain client of HTTP: the answer as the server gave it, whatever its status, its body a text that nothing
 * has parsed. A redirect is an answer and not followed, as it may lead where the caller would not go, with the caller's
 * credentials; the proxies of the environment are not asked. The caller adds a signal and the size that it will read.
 */
export const RAW_ANSWER = {
  proxy: false,
  maxRedirects: 0,
  responseType: 'text',
  transformResponse: (body: unknown) => body,
  validateStatus: () => true,
} as const satisfies AxiosRequestConfig;

/** Who we are to the servers that we ask. */
export const USER_AGENT = 'counterpoise';
