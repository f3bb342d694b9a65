/** A user name and password. */
export interface Login {
  readonly username: string;
  readonly password: string;
}

/** RFC 7617, in UTF-8. */
export function basicLogin({ username, password }: Login): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** What of a login nobody is told, by itself or as it is sent. */
export function secretsOf(login: Login | undefined): readonly string[] {
  return login === undefined ? [] : [basicLogin(login).slice('Basic '.length), login.password];
}

/** Shorter ones are no secrets, and would tear the words of a message. */
const SHORTEST = 4;

/**
 * Words from outside, without the secrets that were sent there: a server may quote what it was given, whatever its status.
 * They must be whole, as they are once JSON was read and before anything is cut. A secret within another goes with that.
 */
export function redact(words: string, secrets: readonly string[]): string {
  return secrets
    .map((secret) => secret.trim())
    .filter((secret) => secret.length >= SHORTEST)
    .toSorted((one, other) => other.length - one.length)
    .reduce((rest, secret) => rest.replaceAll(secret, '***'), words);
}
