import type { Command } from 'commander';
import { gatehouseVersion } from '../config.ts';
import type { Finding } from '../doctor/finding.ts';
import { type Answer, printing } from './answer.ts';

/** The command that looks for what is wrong with this server. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('look at everything this server depends on, and say what to fix')
    .option(
      '--letter <address>',
      'also send a letter there, and say whether the mail server took it',
    )
    .addHelpText(
      'after',
      '\nLooks at settings, files, disk, memory, database, keys, backups, mail, directories, and at the public address as a browser meets it.\nChanges nothing. The exit code is 0 if all is well, 1 with warnings, 2 where something has to be fixed.',
    )
    .action(printing(doctor));
}

const marks = { fine: 'ok      ', warning: 'warning ', trouble: 'TROUBLE ' } as const;

async function doctor({ letter }: { letter?: string }): Promise<Answer> {
  const { examine } = await import('../doctor/examine.ts');
  const { pendingMigrations } = await import('../tooling/migrate.ts');
  const { closeStore } = await import('../store/engine/database.ts');
  const findings = await examine({ findPending: pendingMigrations, letterTo: letter });
  // What is wrong with the database has been said.
  await closeStore().catch(() => {});
  const worst = (['trouble', 'warning', 'fine'] as const).find((is) =>
    findings.some((one) => one.is === is),
  );
  return {
    json: { version: gatehouseVersion(), status: worst, findings },
    text: [`Gatehouse ${gatehouseVersion()}`, ...findings.map(lineOf)].join('\n'),
    exitCode: worst === 'trouble' ? 2 : worst === 'warning' ? 1 : 0,
  };
}

const lineOf = ({ is, says, fix }: Finding) =>
  `${marks[is]}${says}${fix ? `\n        → ${fix}` : ''}`;
