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
