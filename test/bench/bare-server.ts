/**
 * The yardstick, as a process of its own: node:http alone, which reads a body, parses it and answers a prepared one.
 * Arguments: port, file of the answer.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [port = '0', answerFile = ''] = process.argv.slice(2);
const answer = readFileSync(answerFile);

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (request.method === 'POST') JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  });
}).listen(Number(port), '127.0.0.1');
