import type { Locator, Page } from '@playwright/test';

/**
 * The seconds that actions take a practised person, by the keystroke-level model (Card, Moran and
 * Newell, 1980): thinking of the next step, moving to a place and clicking, pressing a key, and
 * looking over a new page.
 */
const takes = { thought: 1.35, click: 1.3, key: 0.28, look: 5, paste: 2 };

/** Acts in a browser as a person does, and adds up the time that a person would have needed. */
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

  /** Clicks a link to another page, and looks the page over. */
  async follow(target: Locator, name: string): Promise<void> {
    await target.click();
    this.#note(`click ${name}`, takes.thought + takes.click + takes.look);
  }

  async type(field: Locator, text: string, label: string): Promise<void> {
    await field.fill(text);
    this.#note(`type ${label}`, takes.thought + takes.click + text.length * takes.key);
  }

  /**
   * Reads a text from the page like a person who presses its copy button and pastes it into a file.
   */
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
