-- AlterTable
ALTER TABLE "trace_steps" ADD COLUMN "behind" TEXT NOT NULL DEFAULT 'nobody';
ALTER TABLE "trace_steps" ADD COLUMN "notes" TEXT NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "traces" ADD COLUMN "behind" TEXT NOT NULL DEFAULT 'nobody';
