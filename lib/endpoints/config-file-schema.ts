import { configFileSchema } from '../config-file/schema.ts';
import { json } from '../http/answers.ts';
import type { HttpResponse } from '../http/message.ts';

/** The JSON Schema of the configuration file, for editors. It reveals nothing about this server. */
export async function serveConfigFileSchema(): Promise<HttpResponse> {
  return json(200, configFileSchema(), { 'cache-control': 'public, max-age=3600' });
}
