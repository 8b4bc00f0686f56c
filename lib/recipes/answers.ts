import { type Sentence, sentence } from '../messages/sentence.ts';
import { redirectUriFault } from '../oauth/redirect-uri.ts';
import type { Answers, Recipe } from './recipe.ts';
import type { Question } from './shape.ts';

/**
 * The answers in their normal form, or the fault of each: what was received and what is expected.
 */
type Judgement =
  | { answers: Answers; faults: null }
  | { answers: null; faults: Record<string, Sentence> };

type Verdict = { answer: string } | { fault: Sentence };

/** Judges typed answers and puts each into its normal form. */
export function judgeAnswers(
  recipe: Pick<Recipe, 'questions'>,
  typed: Readonly<Record<string, string | undefined>>,
): Judgement {
  const answers: Record<string, string> = {};
  const faults: Record<string, Sentence> = {};
  for (const [name, question] of Object.entries(recipe.questions)) {
    const verdict = judge(question, typed[name]?.trim() ?? '');
    if ('fault' in verdict) faults[name] = verdict.fault;
    else answers[name] = verdict.answer;
  }
  return Object.keys(faults).length > 0 ? { answers: null, faults } : { answers, faults: null };
}

function judge(question: Question, typed: string): Verdict {
  if (typed === '')
    return { fault: sentence('refused.answer.empty', { expected: expectation(question) }) };
  if (typed.length > 300) return { fault: sentence('refused.answer.long') };
  return checks[question.kind](question, typed);
}

const checks: Record<Question['kind'], (question: Question, typed: string) => Verdict> = {
  origin: (question, typed) => judgeAddress(question, typed, false),
  site: (question, typed) => judgeAddress(question, typed, true),
  // It becomes part of paths and of names, in every language of the texts.
  name: (question, typed) =>
    /^[a-z0-9][a-z0-9_-]{0,39}$/.test(typed) ? { answer: typed } : refuse(question, typed),
  // RFC 8252 section 7.1: a reversed domain name, which contains a dot.
  scheme: (question, typed) =>
    /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/.test(typed)
      ? { answer: typed }
      : refuse(question, typed),
};

const host = String.raw`(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?`;
const path = '(?:/[A-Za-z0-9._~-]+)*';
const addressForm = new RegExp(`^https?://${host}${path}$`);
const hostForm = new RegExp(`^${host}${path}/?$`, 'i');

function judgeAddress(question: Question, typed: string, mayHavePath: boolean): Verdict {
  if (!/^https?:\/\//i.test(typed) && hostForm.test(typed))
    return {
      fault: sentence('refused.answer.whole', {
        received: received(typed),
        address: `https://${typed}`,
      }),
    };
  if (!URL.canParse(typed)) return refuse(question, typed);
  // Written as browsers write it, without the last slash that people often copy along.
  const { origin, pathname, search, hash, username, password } = new URL(typed);
  const isBare = search + hash + username + password === '';
  const address = origin + pathname.replace(/\/$/, '');
  if (!isBare || !addressForm.test(address) || redirectUriFault(address) !== null)
    return refuse(question, typed);
  return mayHavePath || address === origin
    ? { answer: address }
    : {
        fault: sentence('refused.answer.path', { received: received(typed), address: origin }),
      };
}

const refuse = (question: Question, typed: string): Verdict => ({
  fault: sentence('refused.answer.other', {
    received: received(typed),
    expected: expectation(question),
  }),
});

/** The typed text, shortened, with characters that could disguise it made visible. */
function received(typed: string): string {
  const shown = typed.slice(0, 80).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd');
  return `${shown}${typed.length > 80 ? '…' : ''}`;
}

const expectation = ({ kind, placeholder }: Question) =>
  sentence('refused.answer.expected', { kind, placeholder });
