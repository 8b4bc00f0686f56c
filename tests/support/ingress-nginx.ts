import { parseAllDocuments } from 'yaml';

type Ingress = {
  metadata: { annotations: Record<string, string> };
  spec: {
    rules: {
      host: string;
      http: { paths: { path: string; backend: { service: { name: string } } }[] };
    }[];
  };
};

type Front = { port: number; behind: number; folder: string; app?: number };

/**
 * The `http` block that ingress-nginx renders for Ingresses of one host, as its template does with
 * its default settings (controller 1.15.1, rootfs/etc/nginx/template/nginx.tmpl): in the place of its
 * balancer in Lua, requests go to ports of this machine.
 */
export function renderIngresses(text: string, front: Front): string {
  const { port, folder } = front;
  const ingresses = parseAllDocuments(text).map((each) => each.toJS() as Ingress);
  const annotations = ingresses.flatMap(({ metadata }) => Object.keys(metadata.annotations));
  const byRegex = annotations.some((name) => name.endsWith('/use-regex'));
  const host = ingresses[0]?.spec.rules[0]?.host ?? '';
  // Longer paths come first.
  const locations = ingresses
    .flatMap((each) =>
      each.spec.rules.flatMap(({ http }) => http.paths.map((path) => ({ each, path }))),
    )
    .sort((one, other) => other.path.path.length - one.path.path.length)
    .map(({ each, path }) => locationOf(each, path, { ...front, byRegex }));
  const tls = `listen 127.0.0.1:${port} ssl http2; ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/cert.key;`;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `${temporary.join('\n')}
large_client_header_buffers 4 8k;
underscores_in_headers off;
ignore_invalid_headers on;
map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
map $http_x_request_id $req_id { default $http_x_request_id; "" $request_id; }
server { ${tls.replace('ssl http2', 'default_server ssl http2')} server_name _; location / { return 404; } }
server {
server_name ${host};
${tls}
${locations.join('\n')}
}`;
}

type Place = Ingress['spec']['rules'][0]['http']['paths'][0];

function locationOf(
  { metadata }: Ingress,
  { path, backend }: Place,
  { port, behind, app, byRegex }: Front & { byRegex: boolean },
): string {
  const said = (name: string) => metadata.annotations[`nginx.ingress.kubernetes.io/${name}`];
  const quoted = path.replaceAll('\\', '\\\\');
  const matched = byRegex ? `~* "^${quoted}"` : `"${path}"`;
  const buffers = `proxy_buffering off; proxy_request_buffering on; proxy_http_version 1.1;
proxy_buffer_size ${said('proxy-buffer-size') ?? '4k'}; proxy_buffers 4 ${said('proxy-buffer-size') ?? '4k'};`;
  const target = backend.service.name === 'gatehouse' ? behind : app;
  const rewrite = said('rewrite-target');
  const url = said('auth-url')?.replace(/gatehouse[\w.]*:3000/, `127.0.0.1:${behind}`);
  const signIn = said('auth-signin')?.replace(/(:\/\/[^/]+)/, `$1:${port}`);
  const names = said('auth-response-headers')?.split(',') ?? [];
  const authPath = `/_external-auth-${Buffer.from(path).toString('base64url')}-Prefix`;
  const asking = `location = ${authPath} {
internal;
access_log off;
proxy_intercept_errors off;
proxy_pass_request_body off;
proxy_set_header Content-Length "";
proxy_set_header X-Forwarded-Proto "";
proxy_set_header X-Request-ID $req_id;
proxy_set_header Host 127.0.0.1;
proxy_set_header X-Original-URL $scheme://$http_host$request_uri;
proxy_set_header X-Original-Method $request_method;
proxy_set_header X-Sent-From "nginx-ingress-controller";
proxy_set_header X-Real-IP $remote_addr;
proxy_set_header X-Forwarded-For $remote_addr;
proxy_set_header X-Auth-Request-Redirect $request_uri;
${buffers}
proxy_ssl_server_name on;
proxy_pass_request_headers on;
set $target "${url}";
proxy_pass $target;
}
location @sign_in {
internal;
add_header Set-Cookie $auth_cookie;
return 302 ${signIn}?rd=$pass_access_scheme://$http_host$escaped_request_uri;
}`;
  const asked = `auth_request ${authPath};
auth_request_set $auth_cookie $upstream_http_set_cookie;
add_header Set-Cookie $auth_cookie;
${names
  .map((name, index) => {
    const variable = `$upstream_http_${name.toLowerCase().replaceAll('-', '_')}`;
    return `auth_request_set $authHeader${index} ${variable};\nproxy_set_header '${name}' $authHeader${index};`;
  })
  .join('\n')}
set_escape_uri $escaped_request_uri $request_uri;
error_page 401 = @sign_in;`;
  return `${url ? asking : ''}
location ${matched} {
set $pass_access_scheme $scheme;
set $best_http_host $http_host;
${url ? asked : ''}
proxy_set_header Host $best_http_host;
proxy_set_header Upgrade $http_upgrade;
proxy_set_header Connection $connection_upgrade;
proxy_set_header X-Request-ID $req_id;
proxy_set_header X-Real-IP $remote_addr;
proxy_set_header X-Forwarded-For $remote_addr;
proxy_set_header X-Forwarded-Host $best_http_host;
proxy_set_header X-Forwarded-Port $server_port;
proxy_set_header X-Forwarded-Proto $pass_access_scheme;
proxy_set_header X-Forwarded-Scheme $pass_access_scheme;
proxy_set_header X-Scheme $pass_access_scheme;
proxy_set_header X-Original-Forwarded-For $http_x_forwarded_for;
proxy_set_header X-Original-Forwarded-Host $http_x_forwarded_host;
proxy_set_header Proxy "";
${buffers}
${rewrite ? `rewrite "(?i)${quoted}" ${rewrite} break;` : ''}
proxy_pass http://127.0.0.1:${target};
proxy_redirect off;
}`;
}
