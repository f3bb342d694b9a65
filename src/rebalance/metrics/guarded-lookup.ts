import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { certain } from '../../foundation/certain.ts';
import type { AddressPolicy, AddressRefusal } from './address-policy.ts';

/** All addresses of a host name. */
export type Resolve = (
  host: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

const CODES: Readonly<Record<AddressRefusal, string>> = {
  Never: 'ADDRESS_NEVER_CALLED',
  NotListed: 'ADDRESS_NOT_LISTED',
};

/**
 * The lookup of every connection to a host name. It gives the socket only addresses that the policy allows, so that what
 * was judged is what is connected to: a name that leads elsewhere a moment later gains nothing.
 */
export function guardedLookup(policy: AddressPolicy, resolve: Resolve = systemLookup): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) {
        done(error, []);
        return;
      }
      const verdicts = addresses.map(({ address }) => policy.judge(host, address));
      const allowed = addresses.filter((_, index) => verdicts[index] === 'Allowed');
      if (allowed.length === 0) done(refused(verdicts.includes('NotListed') ? 'NotListed' : 'Never'), []);
      else if (options.all === true) done(null, allowed);
      else {
        const { address, family } = certain(allowed[0], 'an allowed address');
        done(null, address, family);
      }
    });
  };
}

/** Which refusal an error's code is of; undefined: another error. */
export function refusalOf(code: string): AddressRefusal | undefined {
  return (['Never', 'NotListed'] as const).find((refusal) => CODES[refusal] === code);
}

function refused(refusal: AddressRefusal): Error {
  return Object.assign(new Error('no address that may be called'), { code: CODES[refusal] });
}
