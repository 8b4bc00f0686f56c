-- AlterTable
ALTER TABLE "trace_steps" ADD COLUMN     "behind" TEXT NOT NULL DEFAULT 'nobody',
ADD COLUMN     "notes" TEXT NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "traces" ADD COLUMN     "behind" TEXT NOT NULL DEFAULT 'nobody';
