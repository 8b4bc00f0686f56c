/** A command that was refused for how it was given; nothing has changed. Its message is what is printed. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused';
}

/** @throws CommandRefused always */
export function refuseCommand(sentence: string): never {
  throw new CommandRefused(sentence);
}
