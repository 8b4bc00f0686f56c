import { appAddress } from '../questions.ts';
import { recipe, webClient } from '../recipe.ts';
import { csharp, onlyIf, shell } from '../text.ts';

export const dotnet = recipe({
  id: 'dotnet',
  name: 'ASP.NET Core',
  mark: 'dotnet',
  kind: 'stack',
  summary: 'C#; the OpenID Connect handler of .NET',
  names:
    '.net, dotnet, c#, csharp, f#, asp.net, asp net core, asp.net core identity, blazor, razor pages, mvc, minimal api, microsoft.identity.web, AddOpenIdConnect, umbraco',
  questions: { address: appAddress('http://localhost:5000') },
  client: { ...webClient, authentication: 'post', pkce: 'by default' },
  redirectUris: ({ address }) => [`${address}/callback`],
  postLogoutRedirectUris: ({ address }) => [`${address}/signed-out`],
  steps: [
    'In a project of ASP.NET Core (dotnet new web), add the package, keep the secret and write the file.',
    'Start it and open the app.',
    'Key your accounts on User.FindFirst("sub"). Each request that comes with the cookie has a live access token: await context.GetTokenAsync("access_token").',
  ],
  blocks: ({ address }, { server, clientId, clientSecret }) => [
    {
      title: 'In your project',
      ...shell`
        dotnet add package Microsoft.AspNetCore.Authentication.OpenIdConnect
        dotnet user-secrets init
        dotnet user-secrets set Gatehouse:ClientSecret ${clientSecret}
        dotnet run --urls ${address}
      `,
    },
    {
      title: 'Program.cs',
      ...csharp`
        using System.Globalization;
        using System.Net;
        using System.Text.Json;
        using Microsoft.AspNetCore.Authentication;
        using Microsoft.AspNetCore.Authentication.Cookies;
        using Microsoft.AspNetCore.Authentication.OpenIdConnect;

        var builder = WebApplication.CreateBuilder(args);
        var clientId = ${clientId};
        var clientSecret = builder.Configuration["Gatehouse:ClientSecret"]!;
        var gatehouse = new HttpClient();

        builder.Services
            .AddAuthentication(options =>
            {
                options.DefaultScheme = CookieAuthenticationDefaults.AuthenticationScheme;
                options.DefaultChallengeScheme = OpenIdConnectDefaults.AuthenticationScheme;
            })
            .AddCookie(options => options.Events.OnValidatePrincipal = StillHere)
            .AddOpenIdConnect(options =>
            {
                options.Authority = ${server.issuer};${onlyIf(
                  server.issuer.startsWith('http:'),
                  '\n        // Only while the issuer has no https.\n        options.RequireHttpsMetadata = false;',
                )}
                options.ClientId = clientId;
                options.ClientSecret = clientSecret;
                options.ResponseType = "code";
                options.ResponseMode = "query";
                options.CallbackPath = "/callback";
                options.SignedOutCallbackPath = "/signed-out";
                options.AccessDeniedPath = "/said-no";
                options.Scope.Add("email");
                options.Scope.Add("offline_access");
                options.SaveTokens = true;
                options.MapInboundClaims = false;
                options.TokenValidationParameters.NameClaimType = "preferred_username";
                // An answer that this browser did not ask for, among others.
                options.Events.OnRemoteFailure = async context =>
                {
                    context.HandleResponse();
                    context.Response.StatusCode = 400;
                    await Page("The sign-in failed. <a href=\"/login\">Sign in</a>").ExecuteAsync(context.HttpContext);
                };
            });
        builder.Services.AddAuthorization();

        var app = builder.Build();
        app.UseAuthentication();
        app.UseAuthorization();

        app.MapGet("/", (HttpContext context) => context.User.Identity?.IsAuthenticated == true
            ? Page($"<p>Signed in as {WebUtility.HtmlEncode(context.User.Identity.Name)}</p>"
                + "<form method=\"post\" action=\"/logout\"><button>Sign out</button></form>")
            : Page("<a href=\"/login\">Sign in</a>"));

        app.MapGet("/login", () => Results.Challenge(new AuthenticationProperties { RedirectUri = "/" }));
        app.MapGet("/said-no", () => Page("You said no. <a href=\"/login\">Try again</a>"));

        // Out of this app, then out of Gatehouse.
        app.MapPost("/logout", () => Results.SignOut(
            new AuthenticationProperties { RedirectUri = "/" },
            [CookieAuthenticationDefaults.AuthenticationScheme, OpenIdConnectDefaults.AuthenticationScheme]));

        app.Run();

        static IResult Page(string html) => Results.Content(html, "text/html; charset=utf-8");

        // Whoever is signed in here is so at Gatehouse still: the renewal of a token finds out.
        async Task StillHere(CookieValidatePrincipalContext context)
        {
            var expires = context.Properties.GetTokenValue("expires_at");
            if (expires is null || DateTimeOffset.Parse(expires, CultureInfo.InvariantCulture) > DateTimeOffset.UtcNow.AddSeconds(30))
                return;
            try
            {
                using var answer = await gatehouse.PostAsync(${server.token}, new FormUrlEncodedContent(new Dictionary<string, string>
                {
                    ["grant_type"] = "refresh_token",
                    ["refresh_token"] = context.Properties.GetTokenValue("refresh_token") ?? "",
                    ["client_id"] = clientId,
                    ["client_secret"] = clientSecret,
                }));
                using var json = JsonDocument.Parse(await answer.Content.ReadAsStringAsync());
                var tokens = json.RootElement;
                if (answer.IsSuccessStatusCode)
                {
                    foreach (var name in new[] { "access_token", "refresh_token", "id_token" })
                        if (tokens.TryGetProperty(name, out var token))
                            context.Properties.UpdateTokenValue(name, token.GetString()!);
                    var until = DateTimeOffset.UtcNow.AddSeconds(tokens.GetProperty("expires_in").GetInt32());
                    context.Properties.UpdateTokenValue("expires_at", until.ToString("o", CultureInfo.InvariantCulture));
                    context.ShouldRenew = true;
                }
                else if (tokens.GetProperty("error").GetString() == "invalid_grant")
                {
                    context.RejectPrincipal();
                    await context.HttpContext.SignOutAsync();
                }
            }
            catch (Exception failure) when (failure is HttpRequestException or JsonException)
            {
                // Gatehouse is away: the next request asks again.
                context.HttpContext.RequestServices.GetRequiredService<ILogger<Program>>().LogWarning(failure, "Gatehouse is away");
            }
        }
      `,
    },
  ],
  trap: 'By default the answer is posted (form_post), and browsers send no cookie with it on plain http: keep ResponseMode query. Behind a proxy, use UseForwardedHeaders, or the redirect URI says http.',
  source: {
    version: 'ASP.NET Core 9',
    pages: [
      'Microsoft Learn: Configure OpenID Connect Web (UI) authentication in ASP.NET Core',
      'Microsoft Learn: Use cookie authentication without ASP.NET Core Identity',
    ],
    notChecked: [
      'All of it: not run by us. The text follows the documented behaviour of the handler.',
    ],
  },
  checked: 'documentation',
});
