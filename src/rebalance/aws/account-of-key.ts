/** RFC 4648, section 6: five bits a character. */
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Four letters for the kind of key, then 80 bits: a 1, 40 bits of the account's number, and what tells keys apart. */
const ACCESS_KEY_ID = /^A[A-Z0-9]{3}([Q-Z2-7][A-Z2-7]{8})[A-Z2-7]{7}$/;

/**
 * The account that an access key belongs to, twelve digits, as it stands in the key's id; undefined for an id of another
 * form. AWS documents no such form, only that an id tells its account (STS API Reference, GetAccessKeyInfo); that it is
 * this one was found by others, and holds for keys that were made since 2019
 * (https://medium.com/@TalBeerySec/a-short-note-on-aws-key-id-f88cc4317489). So nothing may rest on it that must be right.
 */
export function accountOfKey(accessKeyId: string): string | undefined {
  const [, letters] = ACCESS_KEY_ID.exec(accessKeyId) ?? [];
  if (letters === undefined) return undefined;
  const fives = Array.from(letters, (letter) => BigInt(BASE32.indexOf(letter)));
  const bits = fives.reduce((value, five) => (value << 5n) | five, 0n);
  const account = String((bits >> 4n) & ((1n << 40n) - 1n)).padStart(12, '0');
  return account.length === 12 ? account : undefined;
}
