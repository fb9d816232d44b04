import { type Day, dayOf, formatDay } from '../../../core/kernel/values/day.ts'
import { endOfSentence } from '../../../core/payments/accounts/views.ts'
import { formatDigitableLine } from '../../../core/payments/boleto.ts'
import { type ChargeStatus, hasTitle, lastPayableDay, statusAt } from '../../../core/payments/charges/charge.ts'
import {
  boletoOf,
  discountUntil,
  dueOn,
  isRestRefused,
  pixCodeOf,
  type Returned,
  receivedCents,
  returnedOf,
  returnedText,
  termsOf,
} from '../../../core/payments/charges/detail.ts'
import type { PublicCharge } from '../../../core/payments/charges/queries/read.ts'
import type { PayableCharge } from '../../../core/payments/checkout/read-payment.ts'
import { amountDue } from '../../../core/payments/terms.ts'
import { type Html, html } from '../../http/pages/html.ts'
import { PAGE_TYPE, pageTemplate, relativeRoot } from '../../http/pages/page.ts'
import { text } from '../../http/replies/raw-reply.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { route } from '../api.ts'
import { chargeExample } from '../charges/charges.ts'
import SCRIPT from './browser/charge.text.js'
import { CHECKOUT_STYLE, ownAddress, payeeHtml, reais, unbroken } from './page-parts.ts'

/**
 * Works without its script, which copies codes at a touch and polls the status of the charge, first every 2 s, then up
 * to every 20 s, only while the page is visible. When the status changes, it fetches the page again and replaces the
 * charge.
 */
const template = pageTemplate({
  style: CHECKOUT_STYLE,
  script: SCRIPT,
  allows: ["img-src 'self' data:", "connect-src 'self'"],
})

/** The page that mails and messages of a charge link to. */
export const chargePageRows: readonly AnyRow[] = [
  route({
    name: 'checkout.charge-page',
    area: 'Páginas',
    summary: 'Página em que se paga uma cobrança',
    paths: ['/pay/charge/:code'],
    parameters: { code: 'Código da cobrança' },
    dialect: 'page',
    auth: 'public',
    run: ({ core, request }) => core.checkout.read(request.params.code ?? ''),
    reply: text<PayableCharge>({
      type: PAGE_TYPE,
      headers: template.headers,
      view: (found, { path }) => chargePage(found, path),
    }),
    errors: { 'charge.unknown': {} },
    example: { given: 'payableCharge', request: { params: { code: chargeExample.code } } },
  }),
]

type Fact = readonly [name: string, value: string]

/** Returns the page of a charge in any status. */
const chargePage = (found: PayableCharge, path: string): Uint8Array => {
  const { account, charge, publicUrl, logoUrl } = found
  const root = relativeRoot(path)
  const state = chargeState(found)
  const logo = logoUrl && ownAddress(publicUrl, root, logoUrl)
  const today = dayOf(found.asOf)
  const isOpen = statusAt(charge, found.asOf) === 'pending'
  const isPayable = isOpen && hasCode(found, today)
  return template.page({
    title: `${state.word}: cobrança de ${account.name}`,
    body: html`${payeeHtml({ account, logo, what: 'Cobrança de' })}
<p id="told" class="unseen" role="status"></p>
<div id="charge" class="card ${isPayable && 'open'}" data-state="${polledState(found, today)}" data-watch="${isOpen && pollUrl(root, charge.code)}">
<div class="sum">
${stateHtml(state)}
${amountHtml(found, today, isOpen)}
${state.tone === 'paid' && backHtml(found)}
${isOpen && WITHOUT_SCRIPT}
</div>
${isPayable && html`<div>${pixHtml(found, today)}${boletoHtml(found, root)}${payeeHintHtml(found)}</div>`}
</div>
${footHtml(found)}`,
  })
}

/** Reports whether the page shows a code to pay by: none does while the rest of a charge has no title. */
const hasCode = (found: PublicCharge, today: Day): boolean =>
  pixCodeOf(found.charge, today) !== null || boletoOf(found) !== null

/** The address that the page's script polls. */
const pollUrl = (root: string, code: string): string => `${root}public/payment-status/${code}/charge`

/** The state that the polled status is compared with, as the script builds it. */
const polledState = (found: PublicCharge, today: Day): string =>
  [
    statusAt(found.charge, found.asOf),
    pixCodeOf(found.charge, today) ?? '',
    boletoOf(found)?.digitableLine ?? '',
    isRestRefused(found.charge),
  ].join('|')

/** The link back to the shop, which does not receive this page's address. */
const backHtml = ({ successUrl }: PayableCharge): Html | null =>
  successUrl === null
    ? null
    : html`<a class="second" href="${successUrl}" rel="noreferrer">Voltar para ${new URL(successUrl).host}</a>`

const stateHtml = ({ word, tone, text }: ChargeState): Html =>
  html`<p class="state ${tone}" tabindex="-1">${word}</p>
${text && html`<p>${text}</p>`}`

/** The large amount: due today, or paid. */
const amountOf = ({ charge }: PublicCharge, today: Day, isOpen: boolean): Fact => {
  const { valueCents, amountPaidCents } = charge
  if (isOpen) {
    const dueCents = dueOn(charge, today)
    const label = dueCents === valueCents ? 'Valor' : 'Valor hoje'
    return [receivedCents(charge) > 0 ? 'Falta pagar' : label, reais(dueCents)]
  }
  const returned = returnedOf(charge)
  if (returned?.leftCents) return ['Valor pago, menos o devolvido', reais(returned.leftCents)]
  return amountPaidCents === null ? ['Valor', reais(valueCents)] : ['Valor pago', reais(amountPaidCents)]
}

const amountHtml = (found: PublicCharge, today: Day, isOpen: boolean): Html => {
  const { charge, client } = found
  const [label, amount] = amountOf(found, today, isOpen)
  const value = reais(charge.valueCents)
  const shown: readonly Fact[] = [
    ...(amount === value ? [] : [['Valor da cobrança', value] as const]),
    ...(isOpen ? partFacts(found) : []),
    ...returnedFacts(found),
    ...(isOpen ? termFacts(found, today) : []),
    ['Vencimento', formatDay(charge.dueDate)],
    ...(isOpen ? lastDayFacts(found) : []),
    ...cardFacts(found),
    // The payer of a link may enter another client's document, and must not see that client's name.
    ...(charge.linkId === null ? [['Quem paga', client.name] as const] : []),
  ]
  return html`<p class="label">${label}</p>
<p class="amount">${amount}</p>
${charge.description !== null && html`<p class="about">${charge.description}</p>`}
<dl>${shown.map(([name, fact]) => html`\n<div><dt>${name}</dt><dd>${fact}</dd></div>`)}
</dl>`
}

/** The amount that was paid of an open charge. */
const partFacts = ({ charge }: PublicCharge): readonly Fact[] => {
  const paidCents = receivedCents(charge)
  return paidCents > 0 ? [['Já pago', reais(paidCents)]] : []
}

const returnedFacts = ({ charge }: PublicCharge): readonly Fact[] => {
  const returned = returnedOf(charge)
  if (!returned) return []
  const { cents, leftCents } = returned
  return [
    ...(leftCents && charge.amountPaidCents !== null ? [['Valor pago', reais(charge.amountPaidCents)] as const] : []),
    ['Devolvido', reais(cents)],
    ...(leftCents === 0 ? [['Restam', reais(0)] as const] : []),
  ]
}

const termFacts = ({ charge }: PublicCharge, today: Day): readonly Fact[] => {
  const { fineCents, interestCents, discountCents } = amountDue(termsOf(charge), today)
  const lastDay = formatDay(discountUntil(charge))
  return [
    ...(fineCents > 0 ? [['Multa por atraso', `+\u00a0${reais(fineCents)}`] as const] : []),
    ...(interestCents > 0 ? [['Juros por atraso', `+\u00a0${reais(interestCents)}`] as const] : []),
    ...(discountCents > 0 ? [[`Desconto até ${lastDay}`, `−\u00a0${reais(discountCents)}`] as const] : []),
  ]
}

/** The last day of a Pix, if it is not its due day. */
const lastDayFacts = ({ charge }: PublicCharge): readonly Fact[] => {
  const lastDay = lastPayableDay(charge)
  const isLonger = charge.paymentMethod === 'PIX' && lastDay !== null && lastDay > charge.dueDate
  return isLonger ? [['Pagável até', formatDay(lastDay)]] : []
}

const BRANDS = { visa: 'Visa', mastercard: 'Mastercard' } as const

const cardFacts = ({ charge: { card } }: PublicCharge): readonly Fact[] => {
  if (card === null) return []
  const { brand, last4, installments } = card
  return [['Cartão', `${BRANDS[brand]} final ${last4}, ${installments === 1 ? 'à vista' : `em ${installments}x`}`]]
}

const copyable = (id: string, label: string, button: string, text: string, plain = text): Html =>
  html`<label for="${id}">${label}</label>
<textarea id="${id}" rows="${Math.min(4, Math.ceil(text.length / 40))}" readonly spellcheck="false" data-text="${plain}">${text}</textarea>
<button type="button" data-copy="${id}">${button}</button>`

const pixHtml = (found: PublicCharge, today: Day): Html | null => {
  const code = pixCodeOf(found.charge, today)
  if (code === null) return null
  const image = found.qrPng && imageOf(found.qrPng)
  return html`<section>
<h2>Pague com Pix</h2>
<p class="hint">No app do seu banco, escolha Pix, depois “Pix copia e cola”, e cole o código. Ou leia o QR code.</p>
${copyable('pix-code', 'Pix copia e cola', 'Copiar código Pix', code)}
${image && html`<div class="qr"><img src="${image}" alt="QR code do Pix" width="240" height="240"></div>`}
</section>`
}

// Base64 needs no escapes.
const imageOf = (png: Uint8Array): Html => ({ markup: `data:image/png;base64,${Buffer.from(png).toString('base64')}` })

const boletoHtml = (found: PublicCharge, root: string): Html | null => {
  const boleto = boletoOf(found)
  if (!boleto) return null
  const line = formatDigitableLine(boleto.digitableLine)
  const pdf = ownAddress(found.publicUrl, root, boleto.pathPdf)
  return html`<section>
<h2>Pague o boleto</h2>
<p class="hint">No app do seu banco, em qualquer agência ou na lotérica. A confirmação pode levar até dois dias úteis.</p>
${copyable('boleto-line', 'Linha digitável', 'Copiar linha digitável', line, boleto.digitableLine)}
<a class="second" href="${pdf}">Abrir o boleto em PDF</a>
</section>`
}

const WITHOUT_SCRIPT = html`<p class="hint without-script">Depois de pagar, recarregue esta página para ver a confirmação.</p>`

const payeeHintHtml = ({ account }: PublicCharge): Html =>
  html`<p class="hint whom">Antes de confirmar, confira no seu banco se quem recebe é ${endOfSentence(account.name)}</p>`

const footHtml = ({ charge }: PublicCharge): Html =>
  html`<footer class="foot"><p>Código da cobrança: ${charge.code}</p></footer>`

/** The status of a charge in words for its payer. */
interface ChargeState {
  readonly word: string
  /** The colour of the word. */
  readonly tone: 'waits' | 'paid' | 'wrong' | ''
  readonly text: string | null
}

const isByCard = ({ charge }: PublicCharge): boolean => charge.paymentMethod === 'CREDIT_CARD'

const pending = (found: PublicCharge): ChargeState => {
  const { charge, account } = found
  if (isByCard(found)) {
    const text = `A operadora do cartão ainda não respondeu. Não é preciso pagar de novo: avisaremos aqui.`
    return { word: 'Pagamento em análise', tone: 'waits', text }
  }
  if (receivedCents(charge) > 0) return paidInPart(found)
  if (!hasTitle(charge)) {
    const text = 'O banco está preparando o código de pagamento. Costuma levar alguns segundos.'
    return { word: 'Preparando o pagamento', tone: 'waits', text }
  }
  const isLate = charge.dueDate < dayOf(found.asOf)
  const text = isLate
    ? `A cobrança venceu em ${formatDay(charge.dueDate)}, e ${account.name} ainda aceita o pagamento.`
    : null
  return { word: 'Aguardando pagamento', tone: 'waits', text }
}

const paidInPart = (found: PublicCharge): ChargeState => {
  const { charge, account } = found
  const text = `${account.name} recebeu ${reais(receivedCents(charge))}. ${restText(found)}`
  return { word: 'Pago em parte', tone: 'waits', text }
}

const restText = (found: PublicCharge): string => {
  if (hasCode(found, dayOf(found.asOf))) return 'Pague aqui o que falta.'
  if (!isRestRefused(found.charge)) return 'O banco está preparando o código do que falta.'
  const { name } = found.account
  return `O banco não aceitou o código do que falta. Por ora não há como pagar aqui: fale com ${endOfSentence(name)}`
}

const paid = (found: PublicCharge): ChargeState => {
  const { charge, account } = found
  const returned = returnedOf(charge)
  if (returned) return refunded(found, returned)
  const when = charge.paymentDate === null ? '' : ` em ${formatDay(charge.paymentDate)}`
  const amount = reais(charge.amountPaidCents ?? charge.valueCents)
  const text = `Obrigado! ${account.name} recebeu ${amount}${when}.${shortfallText(found)}`
  return { word: 'Pagamento recebido', tone: 'paid', text }
}

/** The state after a refund of the payment, in full or in part. */
const refunded = (found: PublicCharge, returned: Returned): ChargeState => {
  const { charge } = found
  const when = charge.paymentDate === null ? '' : ` em ${formatDay(charge.paymentDate)}`
  const text = `Pagamento de ${reais(charge.amountPaidCents ?? charge.valueCents)}${when}. ${unbroken(returnedText(returned))}`
  if (returned.leftCents === 0) return { word: 'Pagamento devolvido', tone: '', text }
  return { word: 'Pagamento devolvido em parte', tone: 'paid', text: `${text}${shortfallText(found)}` }
}

/** The notice of a payment below the amount due on its day. Such a payment pays the charge too. */
const shortfallText = ({ charge, account }: PublicCharge): string => {
  const { paymentDate, amountPaidCents } = charge
  if (paymentDate === null || amountPaidCents === null) return ''
  // After partial payments, only their rest is due.
  const dueCents = dueOn(charge, paymentDate) + receivedCents(charge)
  if (amountPaidCents >= dueCents) return ''
  return ` Foi menos que o valor pedido, ${reais(dueCents)}: para saber se falta pagar, fale com ${endOfSentence(account.name)}`
}

const failed = (found: PublicCharge): ChargeState => {
  const { name } = found.account
  if (isByCard(found)) {
    const text = `O cartão não foi aceito e nada foi cobrado. Para tentar de outro modo, fale com ${endOfSentence(name)}`
    return { word: 'Pagamento não aprovado', tone: 'wrong', text }
  }
  const text = `O banco não aceitou esta cobrança. Não há o que pagar aqui: fale com ${endOfSentence(name)}`
  return { word: 'Cobrança não emitida', tone: 'wrong', text }
}

const expired = ({ account: { name } }: PublicCharge): ChargeState => ({
  word: 'Cobrança expirada',
  tone: 'wrong',
  text: `O prazo para pagar terminou. Se você já pagou, o pagamento será reconhecido assim que o banco avisar; senão, peça outra cobrança a ${endOfSentence(name)}`,
})

const cancelled = ({ account: { name } }: PublicCharge): ChargeState => ({
  word: 'Cobrança cancelada',
  tone: '',
  text: `Não é preciso pagar. Em caso de dúvida, fale com ${endOfSentence(name)}`,
})

const STATES: Readonly<Record<ChargeStatus, (found: PublicCharge) => ChargeState>> = {
  pending,
  paid,
  paidwithpix: paid,
  expired,
  cancelled,
  failed,
  DELETED: cancelled,
}

const chargeState = (found: PublicCharge): ChargeState => {
  const { charge, asOf } = found
  const state = STATES[statusAt(charge, asOf)](found)
  // A refunded payment that the charge no longer accepted.
  const returned = charge.paymentDate === null ? returnedOf(charge) : null
  if (!returned) return state
  return { ...state, text: `${state.text ?? ''} ${unbroken(returnedText(returned))}`.trim() }
}
