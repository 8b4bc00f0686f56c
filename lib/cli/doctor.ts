import { type Command, Option } from 'commander';
import { gatehouseVersion } from '../config.ts';
import type { Finding } from '../doctor/finding.ts';
import { type Answer, printing } from './answer.ts';
import { fileNamed } from './called-from.ts';

/** The command that looks for problems with this server. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('look at everything this server depends on, and say what to fix')
    .option(
      '--letter <address>',
      'also send an email there, and say whether the mail server accepted it',
    )
    .option(
      '--rehearse <folder>',
      'instead try another version, a package or a checkout, on a copy of the database: migrate it, and answer what was asked in the last day',
    )
    // How --rehearse calls both versions.
    .addOption(new Option('--answer-again <since>').hideHelp())
    .addHelpText(
      'after',
      '\nLooks at settings, files, disk, memory, database, keys, backups, mail, directories, and at the public address as a browser meets it.\nChanges nothing; with --rehearse nothing but a copy, which it removes. The exit code is 0 if all is well, 1 with warnings, 2 where something has to be fixed.',
    )
    .action(printing(doctor));
}

const marks = { fine: 'ok      ', warning: 'warning ', trouble: 'TROUBLE ' } as const;

type Options = { letter?: string; rehearse?: string; answerAgain?: string };

async function doctor({ letter, rehearse, answerAgain }: Options): Promise<Answer> {
  if (answerAgain !== undefined)
    return (await import('./answer-again.ts')).answerOnCopy(answerAgain);
  if (rehearse !== undefined) {
    const rehearsal = await import('./rehearsal.ts');
    const { findings, differences } = await rehearsal.rehearse(fileNamed(rehearse), new Date());
    return told(findings, { differences });
  }
  const { examine } = await import('../doctor/examine.ts');
  const { pendingMigrations } = await import('../tooling/migrate.ts');
  const { closeStore } = await import('../store/engine/database.ts');
  const findings = await examine({ findPending: pendingMigrations, letterTo: letter });
  // The findings already report any problem with the database.
  await closeStore().catch(() => {});
  return told(findings);
}

function told(findings: Finding[], more: Record<string, unknown> = {}): Answer {
  const worst = (['trouble', 'warning', 'fine'] as const).find((is) =>
    findings.some((one) => one.is === is),
  );
  return {
    json: { version: gatehouseVersion(), status: worst, findings, ...more },
    text: [`Gatehouse ${gatehouseVersion()}`, ...findings.map(lineOf)].join('\n'),
    exitCode: worst === 'trouble' ? 2 : worst === 'warning' ? 1 : 0,
  };
}

const lineOf = ({ is, says, fix }: Finding) =>
  `${marks[is]}${says}${fix ? `\n        → ${fix}` : ''}`;
