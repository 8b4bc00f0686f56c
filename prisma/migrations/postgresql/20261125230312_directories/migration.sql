-- CreateTable
CREATE TABLE "directory_people" (
    "directory" TEXT NOT NULL,
    "entry_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "dn" TEXT NOT NULL,
    "disabled_by_it" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "directory_people_pkey" PRIMARY KEY ("directory","entry_id")
);

-- CreateTable
CREATE TABLE "directory_syncs" (
    "directory" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,
    "outcome" TEXT NOT NULL,
    "detail" TEXT NOT NULL,

    CONSTRAINT "directory_syncs_pkey" PRIMARY KEY ("directory")
);

-- CreateIndex
CREATE UNIQUE INDEX "directory_people_user_id_key" ON "directory_people"("user_id");

-- AddForeignKey
ALTER TABLE "directory_people" ADD CONSTRAINT "directory_people_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;
