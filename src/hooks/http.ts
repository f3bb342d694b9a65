import type { RequestHandler, Response } from 'express';
import { oneLine } from '../foundation/one-line.ts';
import { HTTP_ERRORS, type HttpError } from './errors.ts';

/** Without an integer of at least 1 Metacontroller comes again at once, and again. */
const RETRY_AFTER_SECONDS = '1';

/** One line of text; the line's end is for the terminal of whoever uses curl. */
export function sendText(response: Response, status: number, text: string): void {
  response.status(status).type('text/plain').send(`${text}\n`);
}

/** Whatever the text quotes, it leaves here as one short and clean line. */
export function sendError(response: Response, { reason, text, challenge }: HttpError): void {
  const { status } = HTTP_ERRORS[reason];
  if (status === 429) response.set('Retry-After', RETRY_AFTER_SECONDS);
  if (status === 408) response.set('Connection', 'close');
  if (challenge !== undefined) response.set('WWW-Authenticate', challenge);
  sendText(response, status, oneLine(text));
}

/** The last handler of a route: its path is right, the method is not. */
export function refuseMethod(allowed: string): RequestHandler {
  return (request, response) => {
    response.set('Allow', allowed);
    sendError(response, { reason: 'MethodNotAllowed', text: `${request.path} takes ${allowed}` });
  };
}
