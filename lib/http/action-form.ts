import { isText, limits } from '../oauth/params.ts';

/*
 * Recognises posts of server actions in exactly the two shapes that React writes. With scripts,
 * `Next-Action` names the action, part `0` holds its arguments, and parts `_1_name` are the form.
 * Without scripts, the form contains `$ACTION_REF_1`, `$ACTION_1:0` (the action), `$ACTION_1:1`
 * (the previous state) and `$ACTION_KEY`. React's deserializer was not written for hostile input,
 * so only known shapes may reach it.
 */

/** More fields than any dashboard form has, even those with one part per scope. */
const partsAtMost = 256;
/** A form's state repeats every value that was typed, so it can be longer than a parameter. */
const stateBytes = 64 * 1024;

const actionId = /^[0-9a-f]{40,64}$/;
const reactsOwn = /^(?:\d{1,4}|\$.*)$/s;

/** Whether these parts (with the `Next-Action` header, if any) form a valid server action post. */
export function isActionForm(form: FormData, header: string | undefined): boolean {
  const parts = [...form];
  if (parts.length > partsAtMost || !parts.every(([name, value]) => isPart(name, value)))
    return false;
  return header === undefined
    ? isPlainPost(form)
    : actionId.test(header) && [...form.keys()].every(isScriptName) && areArguments(form.get('0'));
}

export function actionNamed(form: FormData, header: string | undefined): string {
  if (header !== undefined) return header;
  const [, value] = [...form].find(([name]) => /^\$ACTION_\d+:0$/.test(name)) ?? [];
  return String((parse(value ?? null) as { id: string }).id);
}

function isPart(name: string, value: FormDataEntryValue): boolean {
  if (!isText(name) || Buffer.byteLength(name) > 1000) return false;
  if (typeof value !== 'string') return !reactsOwn.test(name);
  return (
    isText(value) &&
    Buffer.byteLength(value) <= (reactsOwn.test(name) ? stateBytes : limits.parameterBytes)
  );
}

const isScriptName = (name: string) => name === '0' || /^_?[0-9a-f]{1,4}_/.test(name);

/** The arguments of an action are its previous state and the form. */
function areArguments(value: FormDataEntryValue | null): boolean {
  const list = parse(value);
  return Array.isArray(list) && list.length === 2 && isState(list[0]) && isFormReference(list[1]);
}

const isFormReference = (value: unknown) =>
  typeof value === 'string' && /^\$K[0-9a-f]{1,4}$/.test(value);

function isPlainPost(form: FormData): boolean {
  const own = [...form.keys()].filter((name) => name.startsWith('$'));
  const reference = own.find((name) => name.startsWith('$ACTION_REF_')) ?? '';
  const number = /^\$ACTION_REF_(\d{1,4})$/.exec(reference)?.[1];
  const known = [reference, `$ACTION_${number}:0`, `$ACTION_${number}:1`, '$ACTION_KEY'];
  return (
    number !== undefined &&
    form.get(reference) === '' &&
    new Set(own).size === own.length &&
    own.every((name) => known.includes(name)) &&
    isAction(parse(form.get(`$ACTION_${number}:0`))) &&
    isStateList(parse(form.get(`$ACTION_${number}:1`))) &&
    /^[\w-]{0,200}$/.test(String(form.get('$ACTION_KEY') ?? ''))
  );
}

function isAction(value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).some((name) => !['id', 'bound'].includes(name)))
    return false;
  return actionId.test(String(value.id)) && /^\$@\d{1,4}$/.test(String(value.bound));
}

function isStateList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 1 && isState(value[0]);
}

/** Plain data. A string starting with `$` is a reference unless the `$` is doubled. */
function isState(value: unknown): boolean {
  return isRecord(value) && isData(value, 5);
}

function isData(value: unknown, depth: number): boolean {
  if (typeof value === 'string')
    return !value.startsWith('$') || value.startsWith('$$') || value === '$undefined';
  if (typeof value !== 'object' || value === null) return true;
  if (depth === 0) return false;
  return Array.isArray(value)
    ? value.every((entry) => isData(entry, depth - 1))
    : Object.entries(value).every(([name, entry]) => !isMagic(name) && isData(entry, depth - 1));
}

const isMagic = (name: string) => ['__proto__', 'constructor', 'prototype', 'then'].includes(name);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parse(value: FormDataEntryValue | null): unknown {
  if (typeof value !== 'string') return undefined;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
