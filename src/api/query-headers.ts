import { z } from 'zod';
import { noneOfAnyCase, textMap } from './text-map.ts';

/** RFC 9110, 5.6.2: a token. */
const NAME = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$";
/** Printable ASCII: nothing that could end a header. */
const VALUE = /^[\t\x20-\x7e]*$/;

/**
 * What the service and its HTTP client set themselves, or what belongs to the one connection (RFC 9110, 7.6.1) and would
 * break the framing of the request or leave the answer unreadable; the last three are a signature's. Prometheus' own
 * `http_headers` and `remote_write.headers` refuse the like.
 */
const RESERVED = [
  'Host',
  'User-Agent',
  'Accept-Encoding',
  'Connection',
  'Keep-Alive',
  'Proxy-Connection',
  'Proxy-Authorization',
  'TE',
  'Trailer',
  'Transfer-Encoding',
  'Upgrade',
  'Expect',
  'Content-Length',
  'Content-Encoding',
  'Content-Type',
  'X-Amz-Date',
  'X-Amz-Security-Token',
  'X-Amz-Content-Sha256',
] as const;

const value = z
  .string()
  .max(4096)
  .regex(VALUE, 'expected printable ASCII')
  .meta({ description: 'Value of the header.' });

/** Headers of a query on the wire. */
export const headersSchema = textMap(
  value,
  [
    {
      cel: `self.all(name, name.matches(r"${NAME}"))`,
      message: 'expected header names of letters, digits and "-"',
      holds: (headers) => Object.keys(headers).every((name) => new RegExp(NAME).test(name)),
    },
    noneOfAnyCase(['Authorization'], 'expected no Authorization: name a Secret by auth instead'),
    noneOfAnyCase(
      RESERVED,
      'expected no header that the service or the connection sets, such as Host or Content-Length',
    ),
  ],
  `Headers sent with the query, such as X-Scope-OrgID. Not for secrets: auth names a Secret, and Authorization is refused. So are those that the service or the connection sets: ${RESERVED.join(', ')}.`,
);
