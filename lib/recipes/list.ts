import { anyLibrary } from './plain/any-library.ts';
import { commandLineTool } from './plain/command-line-tool.ts';
import { device } from './plain/device.ts';
import { mcpServer } from './plain/mcp-server.ts';
import { mobileApp } from './plain/mobile-app.ts';
import { service } from './plain/service.ts';
import { singlePageApp } from './plain/single-page-app.ts';
import { actualBudget } from './programs/actual-budget.ts';
import { adventureLog } from './programs/adventurelog.ts';
import { arcane } from './programs/arcane.ts';
import { argoCd } from './programs/argo-cd.ts';
import { audiobookshelf } from './programs/audiobookshelf.ts';
import { beszel } from './programs/beszel.ts';
import { bookStack } from './programs/bookstack.ts';
import { claudeCode } from './programs/claude-code.ts';
import { dex } from './programs/dex.ts';
import { directus } from './programs/directus.ts';
import { donetick } from './programs/donetick.ts';
import { ezBookkeeping } from './programs/ezbookkeeping.ts';
import { fileBrowserQuantum } from './programs/filebrowser-quantum.ts';
import { forgejo } from './programs/forgejo.ts';
import { freshrss } from './programs/freshrss.ts';
import { gitea } from './programs/gitea.ts';
import { gitlab } from './programs/gitlab.ts';
import { grafana } from './programs/grafana.ts';
import { harbor } from './programs/harbor.ts';
import { headscale } from './programs/headscale.ts';
import { hedgedoc } from './programs/hedgedoc.ts';
import { homarr } from './programs/homarr.ts';
import { homebox } from './programs/homebox.ts';
import { immich } from './programs/immich.ts';
import { jellyfin } from './programs/jellyfin.ts';
import { jupyterHub } from './programs/jupyterhub.ts';
import { karakeep } from './programs/karakeep.ts';
import { kasm } from './programs/kasm.ts';
import { komodo } from './programs/komodo.ts';
import { kubelogin } from './programs/kubelogin.ts';
import { linkAce } from './programs/linkace.ts';
import { linkding } from './programs/linkding.ts';
import { mattermost } from './programs/mattermost.ts';
import { mcpInspector } from './programs/mcp-inspector.ts';
import { mealie } from './programs/mealie.ts';
import { memos } from './programs/memos.ts';
import { meshCentral } from './programs/meshcentral.ts';
import { miniflux } from './programs/miniflux.ts';
import { minio } from './programs/minio.ts';
import { modAuthOpenidc } from './programs/mod-auth-openidc.ts';
import { netBird } from './programs/netbird.ts';
import { nextcloud } from './programs/nextcloud.ts';
import { nodeRed } from './programs/node-red.ts';
import { oauth2Proxy } from './programs/oauth2-proxy.ts';
import { ocis } from './programs/ocis.ts';
import { openWebui } from './programs/open-webui.ts';
import { openCloud } from './programs/opencloud.ts';
import { opengist } from './programs/opengist.ts';
import { outline } from './programs/outline.ts';
import { pangolin } from './programs/pangolin.ts';
import { paperlessNgx } from './programs/paperless-ngx.ts';
import { pgAdmin } from './programs/pgadmin.ts';
import { pocketBase } from './programs/pocketbase.ts';
import { portainer } from './programs/portainer.ts';
import { proxmox } from './programs/proxmox.ts';
import { superset } from './programs/superset.ts';
import { tailscale } from './programs/tailscale.ts';
import { traefikForwardAuth } from './programs/traefik-forward-auth.ts';
import { vault } from './programs/vault.ts';
import { vaultwarden } from './programs/vaultwarden.ts';
import { vsCode } from './programs/vs-code.ts';
import { wikiJs } from './programs/wiki-js.ts';
import type { Recipe } from './recipe.ts';
import { angular } from './stacks/angular.ts';
import { djangoAllauth } from './stacks/django-allauth.ts';
import { djangoMozilla } from './stacks/django-mozilla.ts';
import { dotnet } from './stacks/dotnet.ts';
import { express } from './stacks/express.ts';
import { fastapi } from './stacks/fastapi.ts';
import { flask } from './stacks/flask.ts';
import { golang } from './stacks/go.ts';
import { laravel } from './stacks/laravel.ts';
import { nextjs } from './stacks/nextjs.ts';
import { openidClient } from './stacks/openid-client.ts';
import { phpApp } from './stacks/php.ts';
import { quarkus } from './stacks/quarkus.ts';
import { rails } from './stacks/rails.ts';
import { springBoot } from './stacks/spring-boot.ts';
import { sveltekit } from './stacks/sveltekit.ts';
import { vue } from './stacks/vue.ts';
import { wordpress } from './stacks/wordpress.ts';

const programs = [
  actualBudget,
  adventureLog,
  superset,
  tailscale,
  modAuthOpenidc,
  arcane,
  argoCd,
  audiobookshelf,
  beszel,
  bookStack,
  claudeCode,
  dex,
  directus,
  donetick,
  ezBookkeeping,
  fileBrowserQuantum,
  forgejo,
  freshrss,
  gitea,
  gitlab,
  grafana,
  harbor,
  vault,
  headscale,
  hedgedoc,
  homarr,
  homebox,
  immich,
  jellyfin,
  jupyterHub,
  karakeep,
  kasm,
  komodo,
  kubelogin,
  linkAce,
  linkding,
  mattermost,
  mcpInspector,
  mealie,
  memos,
  meshCentral,
  miniflux,
  minio,
  netBird,
  nextcloud,
  nodeRed,
  oauth2Proxy,
  openWebui,
  openCloud,
  opengist,
  outline,
  ocis,
  pangolin,
  paperlessNgx,
  pgAdmin,
  pocketBase,
  portainer,
  proxmox,
  traefikForwardAuth,
  vaultwarden,
  vsCode,
  wikiJs,
];
const stacks = [
  angular,
  dotnet,
  djangoAllauth,
  djangoMozilla,
  express,
  fastapi,
  flask,
  golang,
  laravel,
  nextjs,
  openidClient,
  phpApp,
  quarkus,
  rails,
  springBoot,
  sveltekit,
  vue,
  wordpress,
];
const plain = [anyLibrary, singlePageApp, mobileApp, commandLineTool, device, service, mcpServer];

/** The kinds in the order in which people browse them: their own apps first, by name. */
export const recipeKinds = ['stack', 'plain', 'program'] as const;

/** All recipes in the order in which people browse them. */
export const recipes: readonly Recipe[] = [...stacks, ...plain, ...programs];

const byId = new Map(recipes.map((recipe) => [recipe.id, recipe]));

/** The recipe with this id, or undefined. */
export function findRecipe(id: string): Recipe | undefined {
  return byId.get(id);
}
