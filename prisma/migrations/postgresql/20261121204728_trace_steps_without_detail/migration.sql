-- AlterTable
ALTER TABLE "trace_steps" DROP COLUMN "detail";
