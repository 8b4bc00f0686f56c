import type { Locator, Page } from '@playwright/test';

/**
 * What acts take a practised person, in seconds, by the keystroke-level model (Card, Moran and
 * Newell, 1980): to think of what comes next, to move to a place and click, to press a key; and
 * to look over a page that is new.
 */
const takes = { thought: 1.35, click: 1.3, key: 0.28, look: 5, paste: 2 };

/** Acts in a browser as a person does, and counts the time that a person would have needed. */
export class StopWatch {
  seconds = 0;
  readonly acts: string[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Opens an address that a program has printed as a link. */
  async open(address: string, what: string): Promise<void> {
    await this.#page.goto(address);
    this.#note(`open ${what}`, takes.thought + takes.click + takes.look);
  }

  /** Clicks what leads to another page, and looks it over. */
  async follow(target: Locator, name: string): Promise<void> {
    await target.click();
    this.#note(`click ${name}`, takes.thought + takes.click + takes.look);
  }

  async type(field: Locator, text: string, label: string): Promise<void> {
    await field.fill(text);
    this.#note(`type ${label}`, takes.thought + takes.click + text.length * takes.key);
  }

  /** Reads a text from the page, as somebody who presses its copy button; it goes into a file of theirs. */
  async copy(text: Locator, where: string): Promise<string> {
    const copied = (await text.textContent()) ?? '';
    this.#note(`copy ${where}`, 2 * (takes.thought + takes.click) + takes.paste);
    return copied;
  }

  /** Types a command at a terminal. */
  command(line: string): void {
    this.#note(`run ${line}`, takes.thought + (line.length + 1) * takes.key);
  }

  #note(what: string, seconds: number): void {
    this.seconds += seconds;
    this.acts.push(`${Math.round(this.seconds)} s  ${what}`);
  }
}
