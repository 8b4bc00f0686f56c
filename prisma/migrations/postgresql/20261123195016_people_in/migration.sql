-- AlterTable
ALTER TABLE "mailed_links" ADD COLUMN     "invitee" TEXT;

-- CreateTable
CREATE TABLE "import_drafts" (
    "id" TEXT NOT NULL,
    "made_by" TEXT NOT NULL,
    "lines" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "import_drafts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "import_drafts_created_at_idx" ON "import_drafts"("created_at");
