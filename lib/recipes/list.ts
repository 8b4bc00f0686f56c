import { commandLineTool } from './plain/command-line-tool.ts';
import { device } from './plain/device.ts';
import { mcpServer } from './plain/mcp-server.ts';
import { mobileApp } from './plain/mobile-app.ts';
import { service } from './plain/service.ts';
import { singlePageApp } from './plain/single-page-app.ts';
import { argoCd } from './programs/argo-cd.ts';
import { audiobookshelf } from './programs/audiobookshelf.ts';
import { claudeCode } from './programs/claude-code.ts';
import { forgejo } from './programs/forgejo.ts';
import { freshrss } from './programs/freshrss.ts';
import { gitea } from './programs/gitea.ts';
import { gitlab } from './programs/gitlab.ts';
import { grafana } from './programs/grafana.ts';
import { harbor } from './programs/harbor.ts';
import { hedgedoc } from './programs/hedgedoc.ts';
import { immich } from './programs/immich.ts';
import { jellyfin } from './programs/jellyfin.ts';
import { kubelogin } from './programs/kubelogin.ts';
import { mattermost } from './programs/mattermost.ts';
import { mcpInspector } from './programs/mcp-inspector.ts';
import { mealie } from './programs/mealie.ts';
import { miniflux } from './programs/miniflux.ts';
import { modAuthOpenidc } from './programs/mod-auth-openidc.ts';
import { nextcloud } from './programs/nextcloud.ts';
import { oauth2Proxy } from './programs/oauth2-proxy.ts';
import { outline } from './programs/outline.ts';
import { paperlessNgx } from './programs/paperless-ngx.ts';
import { portainer } from './programs/portainer.ts';
import { proxmox } from './programs/proxmox.ts';
import { vault } from './programs/vault.ts';
import { vaultwarden } from './programs/vaultwarden.ts';
import { vsCode } from './programs/vs-code.ts';
import { wikiJs } from './programs/wiki-js.ts';
import type { Recipe } from './recipe.ts';
import { djangoAllauth } from './stacks/django-allauth.ts';
import { djangoMozilla } from './stacks/django-mozilla.ts';
import { express } from './stacks/express.ts';
import { flask } from './stacks/flask.ts';
import { golang } from './stacks/go.ts';
import { nextjs } from './stacks/nextjs.ts';
import { openidClient } from './stacks/openid-client.ts';
import { phpApp } from './stacks/php.ts';
import { rails } from './stacks/rails.ts';
import { springBoot } from './stacks/spring-boot.ts';
import { wordpress } from './stacks/wordpress.ts';

const programs = [
  modAuthOpenidc,
  argoCd,
  audiobookshelf,
  claudeCode,
  forgejo,
  freshrss,
  gitea,
  gitlab,
  grafana,
  harbor,
  vault,
  hedgedoc,
  immich,
  jellyfin,
  kubelogin,
  mattermost,
  mcpInspector,
  mealie,
  miniflux,
  nextcloud,
  oauth2Proxy,
  outline,
  paperlessNgx,
  portainer,
  proxmox,
  vaultwarden,
  vsCode,
  wikiJs,
];
const stacks = [
  djangoAllauth,
  djangoMozilla,
  express,
  flask,
  golang,
  nextjs,
  openidClient,
  phpApp,
  rails,
  springBoot,
  wordpress,
];
const plain = [singlePageApp, mobileApp, commandLineTool, device, service, mcpServer];

/** All recipes in the order a person looks through them: programs and stacks by name, then plain kinds. */
export const recipes: readonly Recipe[] = [...programs, ...stacks, ...plain];

const byId = new Map(recipes.map((recipe) => [recipe.id, recipe]));

/** The recipe with this id, or undefined. */
export function findRecipe(id: string): Recipe | undefined {
  return byId.get(id);
}
