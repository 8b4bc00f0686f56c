import { collection } from '#lib/docs/collection.ts';

/** Every endpoint, for import into a tool that sends requests. */
export function GET(): Response {
  return Response.json(collection(), {
    headers: {
      'Content-Disposition': 'attachment; filename="gatehouse.postman_collection.json"',
      'Cache-Control': 'no-store',
    },
  });
}
