/**
 * One spelling for every way to write a DNS name: lower case, without the trailing dot, `\ooo` escapes of printable
 * characters resolved, so that `WWW.Example.com.`, `\052.example.com.` and `*.example.com` meet. An escaped dot or
 * backslash stays escaped: it is part of a label. Source: Route 53 Developer Guide, "DNS domain name format".
 */
export function plainName(name: string): string {
  return name
    .replace(/(^|[^\\])\.$/, '$1')
    .replace(/\\([0-3][0-7]{2})/g, (escape, octal: string) => {
      const character = String.fromCharCode(parseInt(octal, 8));
      return /^[!-~]$/.test(character) && character !== '.' && character !== '\\' ? character : escape;
    })
    .toLowerCase();
}
