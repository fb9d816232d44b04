import test from 'ava'
import { etaEmailRenderer } from '../../../adapters/messaging/eta-email-renderer.ts'

const SENDER = { name: 'Padaria <b>Central</b>', logoUrl: null }

test('renders all blocks in order, with every text escaped', (t) => {
  const html = etaEmailRenderer.html(
    {
      subject: 'Olá & bem-vinda',
      blocks: [
        { kind: 'text', text: '<script>alert(1)</script>' },
        { kind: 'code', code: '012345' },
        { kind: 'copy', label: 'Copie', text: '00020126<i>' },
        { kind: 'link', label: 'Abrir', url: 'https://app.example.com/?a=1&b="2"' },
        { kind: 'facts', facts: [['Vencimento', '21/11/2030']] },
      ],
    },
    SENDER,
  )
  t.false(html.includes('<script>'))
  t.false(html.includes('<b>'))
  t.true(html.includes('Olá &amp; bem-vinda'))
  t.true(html.includes('href="https://app.example.com/?a=1&amp;b=&quot;2&quot;"'))
  const parts = '&lt;script&gt; >012345< >Copie< >00020126&lt;i&gt;< >Abrir< >Vencimento< >21/11/2030<'.split(' ')
  const places = parts.map((part) => html.indexOf(part))
  t.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )
  t.true(places.every((place) => place > 0))
})

test('shows a long code in groups that are copied as one word', (t) => {
  const template = { subject: 'Oi', blocks: [{ kind: 'code', code: 'ABCDE23456FGHJK789MN' }] } as const
  const [, shown = ''] = /<p class="code"[^>]*>(.*)<\/p>/.exec(etaEmailRenderer.html(template, SENDER)) ?? []
  t.deepEqual(shown.match(/>[^<]+</g), ['>ABCDE<', '>23456<', '>FGHJK<', '>789MN<'])
  t.is(shown.replace(/<[^>]*>/g, ''), 'ABCDE23456FGHJK789MN')
})

test('ends the name of the sender in the footer with one full stop', (t) => {
  for (const [name, footer] of Object.entries({ Padaria: 'por Padaria. Esta', 'Casa Ltda.': 'por Casa Ltda. Esta' }))
    t.true(etaEmailRenderer.html({ subject: 'Oi', blocks: [] }, { name, logoUrl: null }).includes(footer), name)
})

test('shows the logo of a sender instead of its name, if any', (t) => {
  const template = { subject: 'Oi', blocks: [] }
  const html = etaEmailRenderer.html(template, { name: 'Padaria', logoUrl: 'https://portico.example/storage/logos/1' })
  t.regex(html, /<img src="https:\/\/portico\.example\/storage\/logos\/1" alt="Padaria"/)
  t.false(etaEmailRenderer.html(template, SENDER).includes('<img'))
})
