import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { mediaType } from '../http/body.ts';
import type {
  Endpoint,
  HttpHeaders,
  HttpRequest,
  HttpResponse,
  PageRequest,
} from '../http/message.ts';
import { decodeUtf8, MalformedParams, parseForm } from '../oauth/params.ts';
import { turnOf } from '../sealed/browser.ts';
import { openFormAnswer, type SentForm, sealFormAnswer, sentForm } from '../sealed/form-answer.ts';
import {
  fillFormAnswer,
  findFormAnswer,
  leaveFormAnswer,
  reserveFormAnswer,
} from '../store/form-answers.ts';

/** Milliseconds between the first two looks for an answer that is being made, and at most. */
const looks = { first: 40, most: 500 };
/** Characters of an answer that are kept. Most answers lead to a page, and are a tenth of it. */
const mostKept = 20_000;

/**
 * The endpoint of a form, which handles it once: if a browser sends the same form of the same page
 * again within ten seconds (a double click, also without scripts), the second answer is the first
 * one's, with the same code and the same cookies, in any process. Once the browser has signed out or
 * acts for someone else, the form is handled anew, and so it is while strangers send too many. Refusals
 * are not kept, nor is that someone has to sign in first.
 */
export const alikeWhenSentTwice =
  (endpoint: Endpoint): Endpoint =>
  async (request, now) => {
    const form = await readSentForm(request);
    if (!form) return endpoint(request, now);
    for (let moment = now; ; moment = new Date()) {
      const place = await reserveFormAnswer(form.name, moment);
      if (place === 'full') return endpoint(request, now);
      if (place === 'reserved') return answerAndKeep(form, request, () => endpoint(request, now));
      const answer = await answerOnceMade(form.name);
      if (answer)
        return answerAgain(request, openFormAnswer(form, answer)) ?? endpoint(request, now);
    }
  };

/** The answer to a form that another request is making; null if it gave up. */
async function answerOnceMade(name: string): Promise<string | null> {
  for (let wait = looks.first; ; wait = Math.min(2 * wait, looks.most)) {
    const answer = await findFormAnswer(name, new Date());
    if (answer !== '') return answer;
    await pause(wait);
  }
}

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
  request: HttpRequest,
  answering: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  let kept = '';
  try {
    const answer = await answering();
    kept = textOf(answer, turnOf(request));
    if (kept) await fillFormAnswer(form.name, sealFormAnswer(form, kept));
    return answer;
  } finally {
    if (!kept) await leaveFormAnswer(form.name);
  }
}

const given = z.object({
  /** The turn of the browser when it sent the form. */
  turn: z.string().optional(),
  status: z.int(),
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  body: z.string().optional(),
});

/** What is kept of an answer; '' if nothing was decided, or it is too long. */
function textOf(
  { status, headers, body, stream, refusal }: HttpResponse,
  turn: string | undefined,
): string {
  const asksToSignIn = /^\/login(\?|$)/.test(String(headers.location));
  if (refusal || stream || asksToSignIn || status >= 400) return '';
  const text = JSON.stringify({ turn, status, headers, body });
  return text.length > mostKept ? '' : text;
}

/** The kept answer, if the browser is still in the turn of the form, or in the one that it led to. */
function answerAgain(request: PageRequest, text: string): HttpResponse | null {
  const { turn, status, headers, body } = given.parse(JSON.parse(text));
  const present = turnOf(request);
  const isLedTo = present !== undefined && String(headers['set-cookie']).includes(`=${present};`);
  if (present !== turn && !isLedTo) return null;
  return { status, headers: headers as HttpHeaders, ...(body !== undefined && { body }) };
}
