import test, { type ExecutionContext } from 'ava'
import { charges } from '../../../../core/payments/charges/charge.ts'
import { CARDS, CVV } from '../given/cards.ts'
import { type Answer, openMerchant } from '../test-api.ts'
import { type Known, LINKS, linkOf, MARIA, setLogo, shownTo } from './payer.ts'

const CARD = { card_number: '4111 1111 1111 1111', cardholder_name: 'MARIA DA SILVA', expiry: '12/30', cvv: '123' }
const HOME = { zipcode: '01310-100', street: 'Avenida Paulista', number: '1000', district: 'Bela Vista' }
const BY_CARD = { payment_method: 'CARD', ...MARIA, ...CARD, ...HOME, city: 'São Paulo', state: 'SP' }
const HOSTILE = `"><img src=x onerror=alert(1)><script>alert(2)</script>`

const open = async (t: ExecutionContext) => {
  const { api, merchant: owner } = await openMerchant(t)
  const made = (more: object = {}) => linkOf(api, owner, more)
  const show = ({ id, token }: Known) => api.ask('GET', `/pay/${id}?token=${token}`)
  const post = ({ id, token }: Known, fields: Record<string, string>) =>
    api.ask('POST', `/pay/${id}?token=${token}`, {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  /** Follows the redirect. */
  const next = ({ headers }: Answer) =>
    api.ask('GET', new URL(headers.get('location') ?? '/', 'http://x/pay/').pathname)
  return { ...api, owner, made, show, post, next }
}

const alertIn = ({ text }: Answer) => /role="alert"><p>([^<]*)/.exec(text)?.[1] ?? null
const errorOf = (field: string, { text }: Answer) => new RegExp(`id="${field}-error">([^<]*)`).exec(text)?.[1] ?? null
const textIn = (field: string, { text }: Answer) =>
  new RegExp(`<input id="${field}"[^>]* value="([^"]*)"`).exec(text)?.[1] ?? null
const wrongIn = ({ text }: Answer) => [...text.matchAll(/id="(\w+)-error"/g)].map(([, name]) => name)

test('shows a link with its amount, methods and installments', async (t) => {
  const { made, show } = await open(t)
  const more = { description: 'Turma de dezembro', installments: 3, cancel_url: 'https://loja.example/volta' }
  const { status, headers, text } = await show(await made(more))
  t.is(status, 200)
  t.regex(text, /<h2>Curso<\/h2>\s+<p class="amount">R\$\u00a0100,00<\/p>\s+<p class="about">Turma de dezembro/)
  for (const method of ['PIX', 'BOLETO', 'CARD'])
    t.regex(text, new RegExp(`type="radio" name="payment_method" value="${method}"`))
  const options = [...text.matchAll(/<option value="(\d)">([^<]*)/g)].map(([, value, label]) => `${value} ${label}`)
  t.deepEqual(options, ['1 À vista', '2 2x de R$\u00a050,00', '3 3x de até R$\u00a033,34'])
  t.regex(text, /<a href="https:\/\/loja.example\/volta" rel="noreferrer">/)
  t.regex(
    headers.get('content-security-policy') ?? '',
    /script-src 'sha256-[^']+'; img-src 'self' data:; form-action 'self'/,
  )
  t.is(headers.get('referrer-policy'), 'no-referrer')
})

test('shows the total of each method if the payer bears the fee', async (t) => {
  const { made, show, ask, owner, post } = await open(t)
  const taxes = { pix_in: 1, boleto: 2, boleto_in: 1.5, fee: 5 }
  await ask('PUT', `/fake-bank/accounts/${owner.id}`, { body: { taxes } })
  const link = await made({ pass_transaction_fee_to_customer: true })
  const { text } = await show(link)
  for (const total of ['101,00', '103,50', '105,26'])
    t.true(text.includes(`Total com a tarifa: R$\u00a0${total}`), total)
  const code = (await post(link, { payment_method: 'PIX', ...MARIA })).headers.get('location')?.split('/').at(-1)
  const { body } = await ask('GET', `/public/charge?code=${code}`)
  t.is(body.charge.value, 101)
  const free = { is_variable_amount: true, min_amount: 5, pass_transaction_fee_to_customer: true }
  t.true((await show(await made(free))).text.includes('A tarifa é somada ao valor'))
  t.false((await show(await made())).text.includes('tarifa'))
})

test('redirects a sent form to the page of its charge', async (t) => {
  const { made, post, next } = await open(t)
  for (const [method, shown] of [
    ['PIX', /id="pix-code"/],
    ['BOLETO', /id="boleto-line"/],
  ] as const) {
    const sent = await post(await made(), { payment_method: method, ...MARIA })
    t.is(sent.status, 303, sent.text)
    t.regex(sent.headers.get('location') ?? '', /^\.\.\/pay\/charge\/[\w-]+$/)
    const page = await next(sent)
    t.regex(page.text, shown)
    // The payer may have entered another person's document.
    t.notRegex(page.text, /Maria/)
  }
})

test('charges a card at once, reports a declined one, and shows neither number nor CVV', async (t) => {
  const { made, post, next, ask, owner } = await open(t)
  const more = { installments: 3, success_url: 'https://loja.example/obrigado?a=1', send_client_id: true }
  const link = await made(more)
  const paid = await post(link, { ...BY_CARD, installments: '2' })
  t.is(paid.status, 303, paid.text)
  const page = await next(paid)
  t.regex(page.text, /Pagamento recebido/)
  t.regex(page.text, /<dd>Visa final 1111, em 2x<\/dd>/)
  t.regex(
    page.text,
    /href="https:\/\/loja.example\/obrigado\?a=1&amp;client_id=1" rel="noreferrer">Voltar para loja.example/,
  )
  t.regex((await next(await post(link, BY_CARD))).text, /<dd>Visa final 1111, à vista<\/dd>/)
  const declined = await post(link, { ...BY_CARD, card_number: '4000000000000002', cvv: '987' })
  t.is(declined.status, 400)
  t.regex(alertIn(declined) ?? '', /O cartão não foi aprovado, e nada foi cobrado/)
  for (const field of ['card_number', 'cvv']) t.is(textIn(field, declined), '')
  t.is(textIn('street', declined), 'Avenida Paulista')
  t.is(textIn('name', declined), 'Maria da Silva')
  for (const { text } of [paid, page, declined]) t.notRegex(text, /4000 ?0000|4111 ?1111|987"/)
  const { data } = (await ask('GET', `${LINKS}/${link.id}`, { token: owner.token })).body
  t.is(data.uses_count, 2)
})

test('shows a message beside each wrong field, and keeps the typed texts', async (t) => {
  const { made, post } = await open(t)
  const link = await made()
  const nothing = await post(link, {})
  t.is(nothing.status, 422)
  t.deepEqual(wrongIn(nothing), ['name', 'email', 'document'])
  t.is(errorOf('name', nothing), 'Preencha este campo.')
  t.regex(alertIn(nothing) ?? '', /Corrija o que está indicado/)
  t.regex(nothing.text, /<title>Erro: /)
  const sent = { ...BY_CARD, email: 'maria', card_number: '4111111111111112', expiry: '13/30', state: 'X' }
  const wrong = await post(link, sent)
  t.is(wrong.status, 422)
  t.deepEqual(wrongIn(wrong), ['email', 'card_number', 'expiry', 'state'])
  t.is(errorOf('card_number', wrong), 'Deve ser um número de cartão válido.')
  t.is(textIn('email', wrong), 'maria')
  t.is(textIn('card_number', wrong), '')
  t.regex(wrong.text, /value="CARD" checked/)
  t.is(wrong.text.split('autofocus').length, 2)
  const other = await post(link, { ...BY_CARD, card_number: '378282246310005' })
  t.is(errorOf('card_number', other), 'Bandeira não suportada')
  const misplaced = await post(link, { ...BY_CARD, cardholder_name: CARD.card_number })
  t.is(errorOf('cardholder_name', misplaced), 'Deve ser o nome impresso no cartão, e não o número.')
  t.notRegex(misplaced.text, /4111 ?1111/)
  for (const field of ['name', 'email', 'document', 'expiry', 'zipcode', 'state']) {
    const digits = field === 'email' ? '4111111111111111@a.example' : '4111.1111.1111.1111'
    const typed = { ...BY_CARD, [field]: digits, key: '4111-1111-1111-1111' }
    // Without script a card's fields are posted with any method.
    for (const payment_method of ['expiry', 'state'].includes(field) ? ['CARD'] : ['CARD', 'PIX']) {
      const leaked = await post(link, { ...typed, payment_method })
      t.deepEqual([leaked.status, wrongIn(leaked)], [422, [field]], field)
      t.notRegex(leaked.text, /4111/)
    }
  }
  const mistyped = await post(link, { ...BY_CARD, card_number: '', expiry: CARD.card_number, city: CARD.card_number })
  t.notRegex(mistyped.text, /4111/)
})

test("parses the payer's amount in Brazilian notation, within the limits of the link", async (t) => {
  const { made, post, next } = await open(t)
  const amounts = { is_variable_amount: true, amount: undefined, min_amount: 10, max_amount: 2000 }
  const link = await made({ ...amounts, payment_methods: ['PIX'] })
  const pay = (amount: string) => post(link, { payment_method: 'PIX', ...MARIA, amount })
  for (const [typed, shown] of [
    ['1.234,56', 'R$\u00a01.234,56'],
    ['R$ 10', 'R$\u00a010,00'],
    ['99.90', 'R$\u00a099,90'],
    ['1.000', 'R$\u00a01.000,00'],
  ] as const) {
    t.true((await next(await pay(typed))).text.includes(`<p class="amount">${shown}</p>`), typed)
  }
  for (const [typed, message] of [
    ['', 'Preencha este campo.'],
    ['9,99', 'O valor mínimo é R$\u00a010,00.'],
    ['2000,01', 'O valor máximo é R$\u00a02.000,00.'],
    ['dez', 'Digite um valor em reais, como 150,00.'],
    ['10,001', 'Digite um valor em reais, como 150,00.'],
    ['1e3', 'Digite um valor em reais, como 150,00.'],
  ] as const) {
    const refused = await pay(typed)
    t.deepEqual([refused.status, errorOf('amount', refused)], [422, message], typed)
  }
})

test('escapes HTML in texts of the account and of the payer', async (t) => {
  const { made, show, post } = await open(t)
  const link = await made({ title: HOSTILE, description: HOSTILE })
  const back = await post(link, {
    ...BY_CARD,
    ...Object.fromEntries(Object.keys(HOME).map((name) => [name, HOSTILE])),
    name: HOSTILE,
    email: HOSTILE,
  })
  for (const { text } of [await show(link), back]) t.notRegex(text, /<img src=x|<script>alert/)
  t.is(textIn('name', back), '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&lt;script&gt;alert(2)&lt;/script&gt;')
})

const INACTIVE = 'Esta conta não está recebendo pagamentos'
const PAID = 'Este link de pagamento já foi pago'
const USED_UP = 'Este link de pagamento atingiu o limite de pagamentos'
const EXPIRED = 'Este link de pagamento expirou'
const INCOMPLETE = 'O endereço deste pagamento está incompleto'

const BY_PIX = { payment_method: 'PIX', ...MARIA }
const HEADING = /<div class="card[^"]*">\n(?:<p class="label">[^<]*<\/p>\n)?<h[12]>([^<]*)/
const told = ({ status, text }: Answer) => [status, HEADING.exec(text)?.[1]]

test('shows the reason of a link without payments: unknown, without its token, expired, paid, used up, of a suspended account', async (t) => {
  const { made, show, post, next, pay, clock, setStatus, owner, ask } = await open(t)
  const use = async (link: Known) => {
    const page = await next(await post(link, BY_PIX))
    await pay(/data-text="[^"]*0525(\w{25})6304/.exec(page.text)?.[1] ?? '')
  }
  const [once, twice] = [await made({ max_uses: 1 }), await made({ max_uses: 2 })]
  const [ends, open_] = [await made({ expires_at: '2026-11-24' }), await made()]
  const paused = await made()
  await ask('POST', `/v1/payment-links/${paused.id}/pause`, { token: owner.token })
  await use(once)
  await use(twice)
  await use(twice)
  for (const send of [show, (link: Known) => post(link, BY_PIX)]) {
    t.deepEqual(told(await send(once)), [410, PAID])
    t.deepEqual(told(await send(twice)), [410, USED_UP])
    t.deepEqual(told(await send(paused)), [403, 'Este link de pagamento está pausado'])
    t.deepEqual(told(await send({ ...once, token: '' })), [401, INCOMPLETE])
    t.deepEqual(told(await send({ ...once, token: 'x' })), [401, INCOMPLETE])
    t.deepEqual(told(await send({ id: 'nenhum', token: 'x' })), [404, 'Link de pagamento não encontrado'])
  }
  await setStatus(owner, 'SUSPENDED')
  for (const refused of [await show(open_), await post(open_, BY_PIX), await post(open_, {})])
    t.deepEqual(told(refused), [403, INACTIVE])
  t.deepEqual(told(await show(once)), [410, PAID])
  clock.set('2026-11-26T12:00:00.000Z')
  for (const over of [await show(ends), await post(ends, BY_PIX)]) t.deepEqual(told(over), [410, EXPIRED])
})

test('shows the payee and advice on a link without payments, only with its token', async (t) => {
  const { made, show, post, setStatus, clock, owner, ask } = await open(t)
  const logo = await setLogo({ ask }, owner)
  const [ends, other] = [await made({ expires_at: '2026-11-24', title: HOSTILE }), await made()]
  await setStatus(owner, 'SUSPENDED')
  clock.set('2026-11-26T12:00:00.000Z')
  for (const [link, help] of [
    [ends, 'Se você já pagou, não é preciso fazer mais nada. Se ainda precisa pagar, peça outro link a Escola Aurora.'],
    [other, 'Nada foi cobrado agora. Para pagar de outro modo, ou se você já pagou, fale com Escola Aurora.'],
  ] as const) {
    for (const { text, headers } of [await show(link), await post(link, BY_PIX)]) {
      t.true(text.includes(`<p>${help}</p>`), text)
      t.regex(text, /<h1><span>Pagamento para<\/span> Escola Aurora<\/h1>\n<p class="hint">CNPJ 11.222.333\/0001-81</)
      t.true(text.includes(`<img src="../storage/logos/${logo}" alt=""`))
      t.notRegex(text, /<img src=x|<script/)
      t.regex(
        headers.get('content-security-policy') ?? '',
        /^default-src 'none'; style-src [^;]+; img-src 'self' data:; /,
      )
      t.is(headers.get('cache-control'), 'no-store')
    }
    for (const without of [await show({ ...link, token: 'x' }), await post({ ...link, token: '' }, BY_PIX)])
      t.notRegex(without.text, /Aurora|Curso|11.222.333|logos/)
  }
})

test('sends the error code of a page in a header, also for HEAD, and shows the hint of the JSON reply', async (t) => {
  const { made, ask } = await open(t)
  const { id, token } = await made()
  const refused = await ask('POST', `/pay/${id}?token=${token}`, { body: { payment_method: 'PIX' } })
  t.deepEqual([refused.status, refused.headers.get('x-error-code')], [415, 'body.unsupported'])
  t.true(refused.text.includes('O corpo desta rota é application/x-www-form-urlencoded'), refused.text)
  const unknown = await ask('HEAD', `/pay/nenhum?token=${token}`)
  t.deepEqual([unknown.status, unknown.text, unknown.headers.get('x-error-code')], [404, '', 'link.unknown'])
})

test('shows the form again if the bank is unavailable', async (t) => {
  const { made, post, fail } = await open(t)
  const link = await made()
  await fail('create_pix', 'unavailable')
  const away = await post(link, { payment_method: 'PIX', ...MARIA })
  t.is(away.status, 400)
  t.regex(alertIn(away) ?? '', /Não foi possível falar com o banco/)
  t.is(textIn('name', away), 'Maria da Silva')
  t.is((await post(link, { payment_method: 'PIX', ...MARIA })).status, 303)
})

const BY_VISA = { ...BY_CARD, card_number: CARDS.visa, cvv: CVV }

const keyIn = ({ text }: Answer): string => /<input type="hidden" name="key" value="([^"]+)"/.exec(text)?.[1] ?? ''

/** Opens a page with one link, to which its functions refer by default. */
const openForm = async (t: ExecutionContext, more: object = {}) => {
  const api = await open(t)
  const link = await api.made(more)
  return {
    ...api,
    link,
    show: (of = link) => api.show(of),
    post: (fields: Record<string, string>, of = link) => api.post(of, fields),
  }
}
const leadsTo = ({ status, headers }: Answer) => [status, headers.get('location')]

test('pays once for a form that is sent twice, at once or later, and redirects to its charge', async (t) => {
  const { show, post, every, owner, link, ...api } = await openForm(t)
  for (const body of [BY_VISA, { ...BY_VISA, card_number: CARDS.pending }, BY_PIX]) {
    const before = (await every(charges)).length
    const sent = { ...body, key: keyIn(await show()) }
    const [first, ...more] = [...(await Promise.all([post(sent), post(sent), post(sent)])), await post(sent)].map(
      leadsTo,
    )
    t.is(first?.[0], 303)
    for (const other of more) t.deepEqual(other, first)
    t.is((await every(charges)).length, before + 1)
  }
  t.is((await shownTo({ ...api, every }, owner, link)).uses_count, 1)
})

test('redirects the last payer of a used-up link, who sends the form again, to the paid charge', async (t) => {
  const { show, post } = await openForm(t, { max_uses: 1 })
  const sent = { ...BY_VISA, key: keyIn(await show()) }
  const first = leadsTo(await post(sent))
  t.deepEqual(leadsTo(await post(sent)), first)
  for (const other of [BY_VISA, { ...sent, key: 'another' }, { key: sent.key }, {}])
    t.is((await post(other)).status, 410)
})

test('keeps the key of a form until it has paid, and then issues another', async (t) => {
  const { show, post, every } = await openForm(t)
  const page = await show()
  const key = keyIn(page)
  t.not(keyIn(await show()), key)
  const tried = { ...BY_VISA, card_number: CARDS.declined, key }
  for (const [sent, status] of [
    [tried, 400],
    [{ ...tried, name: '' }, 422],
  ] as const) {
    const refused = await post(sent)
    t.deepEqual([refused.status, keyIn(refused)], [status, key])
  }
  t.is((await post({ ...BY_VISA, key })).status, 303)
  // The payer goes back and sends the first card again, which may be approved by now.
  const used = await post({ ...tried, card_number: CARDS.mastercard })
  t.is(used.status, 400)
  t.regex(alertIn(used) ?? '', /já foi enviado por esta página, com outros dados/)
  t.is((await every(charges)).length, 2)
  t.not(keyIn(used), key)
  t.is((await post({ ...BY_VISA, name: 'Rui Costa', key: keyIn(used) })).status, 303)
})

test('redirects a form that is sent again before the bank has answered to its pending charge', async (t) => {
  const { show, post, every, fail } = await openForm(t)
  const sent = { ...BY_PIX, key: keyIn(await show()) }
  await fail('create_pix', 'timeout')
  const waiting = leadsTo(await post(sent))
  t.is(waiting[0], 303)
  t.deepEqual(leadsTo(await post(sent)), waiting)
  t.is((await every(charges)).length, 1)
})

test('stores neither the card nor the key of a form', async (t) => {
  const { show, post, everything } = await openForm(t)
  const key = keyIn(await show())
  await post({ ...BY_VISA, key })
  const kept = JSON.stringify(await everything())
  for (const secret of [CARDS.visa, `"${CVV}"`, key]) t.false(kept.includes(secret))
})

test('limits the key of a form to its link, and rejects a key that is too long', async (t) => {
  const { show, post, every, ...api } = await openForm(t)
  const other = await linkOf({ ...api, every }, api.owner)
  const sent = { ...BY_PIX, key: keyIn(await show()) }
  t.notDeepEqual(leadsTo(await post(sent)), leadsTo(await post(sent, other)))
  t.is((await every(charges)).length, 2)
  const long = await post({ ...BY_PIX, key: 'k'.repeat(300) })
  t.is(long.status, 422)
  t.is((await every(charges)).length, 2)
})
