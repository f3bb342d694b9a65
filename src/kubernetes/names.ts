/**
 * Limits of names and labels: https://kubernetes.io/docs/concepts/overview/working-with-objects/names/ and .../labels/.
 * Each text is a regular expression that RE2 (the CRD) and JavaScript read alike.
 */

/** A Service's name, a namespace: RFC 1123 label. */
export const DNS_LABEL_PATTERN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$';
export const DNS_LABEL_MAX_LENGTH = 63;

/** Most names: RFC 1123 subdomain. */
export const DNS_SUBDOMAIN_PATTERN = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$';
export const DNS_SUBDOMAIN_MAX_LENGTH = 253;

const dnsLabel = new RegExp(DNS_LABEL_PATTERN);
const dnsSubdomain = new RegExp(DNS_SUBDOMAIN_PATTERN);

/** RFC 1123: the name of a namespace or a Service. */
export function isDnsLabel(text: string | undefined): text is string {
  return text !== undefined && text.length <= DNS_LABEL_MAX_LENGTH && dnsLabel.test(text);
}

/** RFC 1123, labels joined by dots: the name of most objects. */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= DNS_SUBDOMAIN_MAX_LENGTH && dnsSubdomain.test(text);
}
