import { pino, type DestinationStream, type Logger } from 'pino';
import { cleaned } from './cleaned.ts';

/**
 * JSON lines with RFC 3339 times; the level by its name, as people and log stores filter by it. Whatever is logged is
 * cleaned and cut here, wherever it came from: no text of a body or an error reaches a line as it was.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: cleaned },
    // pino's own would add every field of an error: of a failed request its headers, and so its credentials.
    serializers: { err: (error: unknown) => error },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
