import { ConfigError } from '../config.ts';
import { isOurName, isRule, nearestName } from '../settings/names.ts';

/** Prefixes that other programs do not use. */
const ours = /^(GATEHOUSE|REQUIRE|ENFORCE)_/;

/**
 * Looks for environment variables whose names are nearly ours. Leaves those of other programs
 * alone: our short names are not compared, and a name that resembles none of ours is ignored unless
 * it has one of our prefixes.
 * @returns sentences about those that may be a mistake
 * @throws ConfigError for one that is nearly a setting, which would not be in force
 */
export function checkNames(env: Record<string, string | undefined>): string[] {
  const warnings: string[] = [];
  const refused: string[] = [];
  for (const [name, value] of Object.entries(env)) {
    if (!value || name.length > 64 || isOurName(name)) continue;
    const meant = nearestName(name);
    if (meant && isRule(meant))
      refused.push(`There is no variable ${name}. Did you mean ${meant}?`);
    else if (meant) warnings.push(`${name} is not used. Did you mean ${meant}?`);
    else if (ours.test(name))
      warnings.push(`${name} is not used: this server has no such variable. See .env.example.`);
  }
  if (refused.length === 0) return warnings;
  throw new ConfigError(
    `${[...refused, ...warnings].join(' ')} The server was not started, because ${refused.length === 1 ? 'this setting' : 'these settings'} would not take effect.`,
  );
}
