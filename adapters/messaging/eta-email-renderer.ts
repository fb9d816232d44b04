import { Eta } from 'eta'
import type { EmailRenderer } from '../../core/ports/messaging.ts'

/**
 * One column of tables, which all mail programs support; on a phone it fills the screen. The colours have the contrast
 * of WCAG AA, also in dark mode. All values are inserted by `<%=`, which escapes them.
 */
const TEMPLATE = `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title><%= it.subject %></title>
<style>
  @media (max-width: 480px) { .card { padding: 24px 20px !important } .code { font-size: 26px !important } }
  @media (prefers-color-scheme: dark) {
    .page { background: #14171a !important } .card { background: #1f2428 !important }
    .card p, .card h1, .card td { color: #eceff1 !important } .code, .card .copy { background: #2b3238 !important; color: #fff !important }
    .foot { color: #a9b4bb !important }
  }
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#eef1f3">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#eef1f3">
<tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px">
<tr><td style="padding:0 8px 16px;font:600 18px/24px Arial,Helvetica,sans-serif;color:#263238">
<% if (it.sender.logoUrl) { %><img src="<%= it.sender.logoUrl %>" alt="<%= it.sender.name %>" height="48" style="display:block;height:48px;max-width:240px;border:0"><% } else { %><span class="foot" style="color:#37474f"><%= it.sender.name %></span><% } %>
</td></tr>
<tr><td class="card" style="background:#ffffff;border-radius:12px;padding:32px">
<h1 style="margin:0 0 16px;font:700 22px/28px Arial,Helvetica,sans-serif;color:#1b2327"><%= it.subject %></h1>
<% for (const block of it.blocks) { %>
<% if (block.kind === 'text') { %><p style="margin:0 0 16px;font:400 16px/24px Arial,Helvetica,sans-serif;color:#263238;white-space:pre-line"><%= block.text %></p>
<% } else if (block.kind === 'code') { %><p class="code" style="margin:0 0 16px;padding:16px;border-radius:8px;background:#eef1f3;text-align:center;font:700 32px/40px Consolas,Menlo,monospace;letter-spacing:6px;color:#1b2327"><% for (const group of block.code.match(block.code.length > 6 ? /.{1,5}/gu : /.+/gu)) { %><span style="display:inline-block;padding:0 4px"><%= group %></span><% } %></p>
<% } else if (block.kind === 'copy') { %><p style="margin:0 0 8px;font:600 15px/22px Arial,Helvetica,sans-serif;color:#263238"><%= block.label %></p>
<p class="copy" style="margin:0 0 16px;padding:12px 16px;border-radius:8px;background:#eef1f3;font:400 13px/20px Consolas,Menlo,monospace;color:#1b2327;word-break:break-all;-webkit-user-select:all;user-select:all"><%= block.text %></p>
<% } else if (block.kind === 'link') { %><p style="margin:0 0 16px"><a href="<%= block.url %>" style="display:inline-block;padding:14px 24px;border-radius:8px;background:#0b5c4b;font:700 16px/20px Arial,Helvetica,sans-serif;color:#ffffff;text-decoration:none"><%= block.label %></a></p>
<p style="margin:0 0 16px;font:400 13px/20px Arial,Helvetica,sans-serif;color:#546e7a;word-break:break-all"><%= block.url %></p>
<% } else { %><table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px">
<% for (const [name, value] of block.facts) { %><tr><td style="padding:6px 12px 6px 0;font:400 15px/22px Arial,Helvetica,sans-serif;color:#546e7a;vertical-align:top"><%= name %></td><td style="padding:6px 0;font:600 15px/22px Arial,Helvetica,sans-serif;color:#1b2327;text-align:right"><%= value %></td></tr>
<% } %></table>
<% } %>
<% } %>
</td></tr>
<tr><td class="foot" style="padding:16px 8px;font:400 13px/20px Arial,Helvetica,sans-serif;color:#546e7a">Enviado por <%= it.sender.name %><%= it.sender.name.endsWith('.') ? '' : '.' %> Esta é uma mensagem automática.</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`

const eta = new Eta({ autoEscape: true, autoTrim: [false, 'nl'] })
const template = eta.compile(TEMPLATE)

/** Renders mails as HTML with npm eta. */
export const etaEmailRenderer: EmailRenderer = {
  html: ({ subject, blocks }, sender) => eta.render(template, { subject, blocks, sender }),
}
