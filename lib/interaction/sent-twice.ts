import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { mediaType } from '../http/body.ts';
import type { Endpoint, HttpHeaders, HttpRequest, HttpResponse } from '../http/message.ts';
import { decodeUtf8, MalformedParams, parseForm } from '../oauth/params.ts';
import { openFormAnswer, type SentForm, sealFormAnswer, sentForm } from '../sealed/form-answer.ts';
import {
  fillFormAnswer,
  findFormAnswer,
  leaveFormAnswer,
  reserveFormAnswer,
} from '../store/form-answers.ts';

/** Milliseconds between two looks for an answer that is being made. */
const lookEvery = 40;
/** Characters of an answer that are kept. */
const mostKept = 100_000;

/**
 * The endpoint of a form, which handles it once: if a browser sends the same form of the same page
 * again within ten seconds (a double click, also without scripts), the second answer is the first
 * one's, with the same code and the same cookies, in any process. Refusals are not kept, nor is that someone has to sign in first.
 */
export const alikeWhenSentTwice =
  (endpoint: Endpoint): Endpoint =>
  async (request, now) => {
    const form = await readSentForm(request);
    if (!form) return endpoint(request, now);
    for (let moment = now; ; moment = new Date()) {
      if (await reserveFormAnswer(form.name, moment)) break;
      const answer = await findFormAnswer(form.name, moment);
      if (answer) return responseIn(openFormAnswer(form, answer));
      await pause(lookEvery);
    }
    return answerAndKeep(form, () => endpoint(request, now));
  };

/** The form in a request, whose body can be read again afterwards. */
async function readSentForm(request: HttpRequest): Promise<SentForm | null> {
  if (mediaType(request) !== 'application/x-www-form-urlencoded') return null;
  const body = await request.body();
  request.body = async () => body;
  if (body === 'too-large') return null;
  try {
    return sentForm(request, parseForm(decodeUtf8(body)), body);
  } catch (error) {
    if (error instanceof MalformedParams) return null;
    throw error;
  }
}

async function answerAndKeep(
  form: SentForm,
  answering: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  let kept = '';
  try {
    const answer = await answering();
    kept = textOf(answer);
    if (kept) await fillFormAnswer(form.name, sealFormAnswer(form, kept));
    return answer;
  } finally {
    if (!kept) await leaveFormAnswer(form.name);
  }
}

const given = z.object({
  status: z.int(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  body: z.string().optional(),
});

/** What is kept of an answer; '' if nothing was decided, or it is too long. */
function textOf({ status, headers, body, stream, refusal }: HttpResponse): string {
  const asksToSignIn = /^\/login(\?|$)/.test(String(headers.location));
  if (refusal || stream || asksToSignIn || status >= 400) return '';
  const text = JSON.stringify({ status, headers, body });
  return text.length > mostKept ? '' : text;
}

function responseIn(text: string): HttpResponse {
  const { status, headers, body } = given.parse(JSON.parse(text));
  return { status, headers: headers as HttpHeaders, ...(body !== undefined && { body }) };
}
