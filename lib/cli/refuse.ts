/**
 * A command was refused because of how it was given; nothing has changed. The message is printed.
 */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** @throws CommandRefused always */
export function refuseCommand(sentence: string): never {
  throw new CommandRefused(sentence);
}
