import { argoCd } from './programs/argo-cd.ts';
import { audiobookshelf } from './programs/audiobookshelf.ts';
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
import { wikiJs } from './programs/wiki-js.ts';
import type { Recipe } from './recipe.ts';

/** All recipes in the order a person looks through them: programs by name, then stacks, then plain kinds. */
export const recipes: readonly Recipe[] = [
  modAuthOpenidc,
  argoCd,
  audiobookshelf,
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
  mealie,
  miniflux,
  nextcloud,
  oauth2Proxy,
  outline,
  paperlessNgx,
  portainer,
  proxmox,
  vaultwarden,
  wikiJs,
];

const byId = new Map(recipes.map((recipe) => [recipe.id, recipe]));

/** The recipe with this id, or undefined. */
export function findRecipe(id: string): Recipe | undefined {
  return byId.get(id);
}
