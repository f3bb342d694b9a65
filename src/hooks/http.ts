import type { RequestHandler, Response } from 'express';
import { HTTP_ERRORS, type HttpError } from './errors.ts';

/** One line of text; the line's end is for the terminal of whoever uses curl. */
export function sendText(response: Response, status: number, text: string): void {
  response.status(status).type('text/plain').send(`${text}\n`);
}

export function sendError(response: Response, error: HttpError): void {
  sendText(response, HTTP_ERRORS[error.reason].status, error.text);
}

/** The last handler of a route: its path is right, the method is not. */
export function refuseMethod(allowed: string): RequestHandler {
  return (request, response) => {
    response.set('Allow', allowed);
    sendError(response, { reason: 'MethodNotAllowed', text: `${request.path} takes ${allowed}` });
  };
}
