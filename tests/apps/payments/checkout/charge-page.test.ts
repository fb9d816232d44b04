import test, { type ExecutionContext } from 'ava'
import { NOW, openTestApi } from '../test-api.ts'
import { CHARGE_STATES } from './charge-states.ts'
import { setLogo } from './payer.ts'

const HOSTILE = `<img src=x onerror=alert(1)> & "aspas" 'e' <script>alert(2)</script>`

const open = async (t: ExecutionContext) => {
  const api = await openTestApi(t)
  const page = (code: string) => api.ask('GET', `/pay/charge/${code}`)
  return { ...api, page }
}

/** Returns the fact of the page with this name. */
const factOf = (name: string, text: string): string | null =>
  new RegExp(`<dt>${name}</dt><dd>([^<]*)</dd>`).exec(text)?.[1]?.replaceAll('\u00a0', ' ') ?? null
const amountIn = (text: string): string | null =>
  /<p class="label">([^<]*)<\/p>\n<p class="amount">([^<]*)/
    .exec(text)
    ?.slice(1)
    .join(': ')
    .replaceAll('\u00a0', ' ') ?? null

test('the page loads only its own resources, runs only its own script and is not cached', async (t) => {
  const { page, charge, merchant } = await open(t)
  const { status, headers, text } = await page((await charge(await merchant())).code)
  t.is(status, 200)
  const policy = headers.get('content-security-policy') ?? ''
  t.regex(policy, /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; img-src 'self' data:; /)
  t.regex(policy, /connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/)
  t.is(headers.get('referrer-policy'), 'no-referrer')
  t.is(headers.get('cache-control'), 'no-store')
  t.regex(text, /<html lang="pt-BR">/)
  t.notRegex(text, /https?:|\son\w+=|style="/)
})

test('escapes HTML in names and descriptions', async (t) => {
  const { page, charge, merchant, ask } = await open(t)
  const owner = await merchant()
  const sent = { name: HOSTILE, email: 'a@aurora.example', phone: null }
  await ask('PUT', `/v1/organizations/${owner.id}`, { token: owner.token, body: sent })
  const { code } = await charge(owner, { description: HOSTILE, name: HOSTILE })
  const { text } = await page(code)
  t.is(text.split('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;aspas&quot; &#39;e&#39;').length - 1, 5)
  t.notRegex(text, /<img src=x|<script>alert/)
})

test('shows the amount due today with its fine, interest and discount', async (t) => {
  const { page, charge, merchant, clock } = await open(t)
  const terms = { discount: 10, type_discount: 'PERCENTAGE', days_discount: 3, amount_rate: 3, type_rate: 'PERCENTAGE' }
  const { code } = await charge(await merchant(), { value: 200, payment_method: 'BOLEPIX', ...terms, fine: 2 })
  const early = (await page(code)).text
  t.is(amountIn(early), 'Valor hoje: R$ 180,00')
  t.is(factOf('Valor da cobrança', early), 'R$ 200,00')
  t.is(factOf('Desconto até 27/11/2026', early), '− R$ 20,00')
  clock.set('2026-11-30T12:00:00.000Z')
  const due = (await page(code)).text
  t.is(amountIn(due), 'Valor: R$ 200,00')
  t.is(factOf('Juros por atraso', due), null)
  t.is(factOf('Multa por atraso', due), null)
  clock.set('2026-12-10T12:00:00.000Z')
  const late = (await page(code)).text
  t.is(amountIn(late), 'Valor hoje: R$ 206,00')
  t.is(factOf('Multa por atraso', late), '+ R$ 4,00')
  t.is(factOf('Juros por atraso', late), '+ R$ 2,00')
  t.regex(late, /A cobrança venceu/)
  t.notRegex(early + late, /[+−] R/, 'a sign stands on the line of its amount')
})

/** By state: the text, whether the page shows a code to pay, and whether it polls. */
const SAID: Readonly<Record<string, readonly [text: RegExp, payable: boolean, watched: boolean]>> = {
  'Aguardando pagamento': [/Código da cobrança/, true, true],
  'Preparando o pagamento': [/O banco está preparando o código de pagamento/, false, true],
  'Pagamento recebido': [/Obrigado! Escola Aurora recebeu R\$\u00a0150,50/, false, false],
  'Cobrança expirada': [/O prazo para pagar terminou/, false, false],
  'Cobrança cancelada': [/Não é preciso pagar/, false, false],
  'Aguardando pagamento, depois do vencimento': [/A cobrança venceu em 24\/11\/2026, e Escola Aurora/, true, true],
  'Pago em parte': [/O banco está preparando o código do que falta/, false, true],
  'Pago em parte, e o resto recusado': [
    /O banco não aceitou o código do que falta.*fale com Escola Aurora/,
    false,
    true,
  ],
  'Pagamento em análise': [/A operadora do cartão ainda não respondeu/, false, true],
  'Pagamento não aprovado': [/O cartão não foi aceito e nada foi cobrado/, false, false],
  'Cobrança não emitida': [/O banco não aceitou esta cobrança/, false, false],
}

test('shows each state of a charge, as the script compares it with the polled status', async (t) => {
  const api = await openTestApi(t)
  const owner = await api.merchant()
  for (const [word, { made, at = NOW }] of Object.entries(CHARGE_STATES)) {
    api.clock.set(NOW)
    const code = await made(api, owner)
    api.clock.set(at)
    const { text } = await api.ask('GET', `/pay/charge/${code}`)
    const [said, payable, watched] = SAID[word] ?? [/$^/, false, false]
    t.is(/<p class="state[^>]*>([^<]*)/.exec(text)?.[1], word.split(',')[0])
    t.regex(text, said)
    t.is(text.includes('data-copy='), payable, word)
    t.is(/data-watch="([^"]*)/.exec(text)?.[1], watched ? `../../public/payment-status/${code}/charge` : '', word)
    const { charge, pix, boleto } = (await api.ask('GET', `/public/payment-status/${code}/charge`)).body.data
    const isRefused = charge.rest_refused === true
    const polled = [charge.status.title, pix?.qrcode ?? '', boleto?.digitableLine ?? '', isRefused].join('|')
    t.is(/data-state="([^"]*)/.exec(text)?.[1], polled, word)
  }
})

test('reports a payment below the amount due, but not one with a discount', async (t) => {
  const { page, charge, merchant, pay } = await open(t)
  const owner = await merchant()
  const short = await charge(owner)
  await pay(short.pix.txid, { value: 50 })
  t.regex(
    (await page(short.code)).text,
    /Foi menos que o valor pedido, R\$\u00a0150,50: para saber se falta pagar, fale/,
  )
  await pay(short.pix.txid, { value: 100.5 })
  t.notRegex((await page(short.code)).text, /Foi menos/)
  const cheaper = await charge(owner, { discount: 10, type_discount: 'ABSOLUTE', days_discount: 1 })
  await pay(cheaper.pix.txid, { value: 140.5 })
  t.notRegex((await page(cheaper.code)).text, /Foi menos/)
})

test('loads the logo relative to the page, whatever the public address', async (t) => {
  const { page, charge, merchant, ask } = await open(t)
  const owner = await merchant()
  const id = await setLogo({ ask }, owner)
  const { code } = await charge(owner)
  t.regex((await page(code)).text, new RegExp(`<img src="../../storage/logos/${id}" alt=""`))
  t.regex((await page(`${code}/`)).text, new RegExp(`<img src="../../../storage/logos/${id}" alt=""`))
})

test('shows a page with 404 for an unknown and a deleted charge', async (t) => {
  const { page, charge, merchant, ask } = await open(t)
  const owner = await merchant()
  const { id, code } = await charge(owner)
  await ask('DELETE', `/invoices/${id}`, { token: owner.token })
  for (const each of ['nenhuma', `${id}`, code, 'charge', '%3Cb%3E']) {
    const { status, text } = await page(each)
    t.is(status, 404, each)
    t.regex(text, /<h1>Cobrança não encontrada<\/h1>/)
  }
})
