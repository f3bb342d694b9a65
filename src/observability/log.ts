import { pino, type DestinationStream, type Logger } from 'pino';

/** JSON lines with RFC 3339 times; the level by its name, as people and log stores filter by it. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
