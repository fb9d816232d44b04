import { addSeconds, type Instant } from '../kernel/values/day.ts'

/** A kind of stored records, and the time for which they are stored. */
interface Retention {
  /** The collections, whole. Records with several terms are in the row of the longest one. */
  readonly collections: readonly string[]
  /** The records, and the reason or law of the term, in the words of the guide. */
  readonly about: string
  readonly reason: string
}

/** A term of the code; null without an end. It is a text if it is no number of days, or depends on the record. */
interface FixedRetention extends Retention {
  readonly term: string | null
}

/** A term in days that the operator sets; null keeps the records without an end. */
interface SetRetention extends Retention {
  /** The event from which the days count. */
  readonly since: string
  readonly days: number | null
  readonly least: number
  readonly greatest: number
}

const YEARS_10 = 3_660
const HALF_YEAR = 184
const BY_PAYMENT_LAW = 'Circular BCB 3.978/2020, art. 67: dez anos, no mínimo'
const BY_ACCESS_LAW = 'Lei 12.965/2014, art. 15: seis meses, no mínimo'

/** The kinds of records whose term is a setting. */
export const SET_RETENTION = {
  sessions: {
    collections: ['payments.sessions'],
    about: 'sessões, com endereço IP e dispositivo',
    since: 'a expiração do token',
    days: 14,
    least: 14,
    greatest: YEARS_10,
    reason: 'um token se renova por 14 dias',
  },
  exports: {
    collections: ['payments.exports'],
    about: 'extratos exportados e seus arquivos',
    since: 'o fim da exportação',
    days: 7,
    least: 1,
    greatest: 90,
    reason: 'são baixados logo, e se pedem de novo',
  },
  events: {
    collections: ['payments.events', 'payments.deliveries'],
    about: 'eventos e webhooks que terminaram, também o histórico de cobranças',
    since: 'a criação',
    days: null,
    least: 30,
    greatest: YEARS_10,
    reason: 'prova do que foi avisado',
  },
  notifications: {
    collections: ['payments.notifications'],
    about: 'notificações no painel, lidas ou não',
    since: 'a criação',
    days: null,
    least: 30,
    greatest: YEARS_10,
    reason: 'cada usuário apaga as suas',
  },
  apiKeys: {
    collections: ['payments.named-keys'],
    about: 'chaves de API revogadas ou expiradas, com o último endereço IP',
    since: 'a revogação ou expiração',
    days: 365,
    least: 30,
    greatest: YEARS_10,
    reason: 'LGPD, art. 15, I: a finalidade acabou; a auditoria guarda criação e revogação',
  },
  rejectedRegistrations: {
    // The registrations of accounts have the longest term.
    collections: [],
    about: 'cadastros que o banco recusou, com as imagens',
    since: 'a recusa',
    days: 365,
    least: 30,
    greatest: YEARS_10,
    reason: 'LGPD, art. 15, I: a finalidade acabou; quem foi recusado se cadastra de novo',
  },
  accessRecords: {
    collections: ['payments.audit', 'payments.audit-chains'],
    about: 'endereço IP e dispositivo na auditoria; os registros ficam, sem prazo, e a corrente confere',
    since: 'o registro',
    days: null,
    least: HALF_YEAR,
    greatest: YEARS_10,
    reason: BY_ACCESS_LAW,
  },
} as const satisfies Readonly<Record<string, SetRetention>>

export type RetentionKind = keyof typeof SET_RETENTION

export const RETENTION_KINDS = Object.keys(SET_RETENTION) as readonly RetentionKind[]

/** The days for which records of a kind are stored; null for no end, absent for the default. */
export type RetentionDays = { readonly [K in RetentionKind]?: number | null }

/** The kinds of records whose term is no setting. */
export const FIXED_RETENTION: readonly FixedRetention[] = [
  {
    collections: [
      ...['books', 'entries', 'journals', 'charges', 'charge-groups', 'payment-plans', 'other-titles', 'refunds'],
      ...[
        'refundable-pix',
        'rest-titles',
        'new-consumers',
        'card-transactions',
        'withdrawals',
        'transfers',
        'recipients',
        'paid-parties',
        'split-receivers',
        'promised-receivers',
        'split-shares',
      ],
    ].map((name) => `payments.${name}`),
    about: 'cobranças, pagamentos, divisões, devoluções, lançamentos, saques e transferências',
    term: null,
    reason: BY_PAYMENT_LAW,
  },
  {
    collections: ['accounts', 'openings', 'registrations', 'claims', 'reminders'].map((name) => `payments.${name}`),
    about: 'contas e seu cadastro',
    term: null,
    reason: BY_PAYMENT_LAW,
  },
  {
    collections: ['clients', 'client-tokens', 'links'].map((name) => `payments.${name}`),
    about: 'clientes e links de pagamento',
    term: 'até o pedido de eliminação',
    reason: 'LGPD, art. 16',
  },
  {
    collections: ['users', 'memberships', 'second-factors', 'passkeys', 'files'].map((name) => `payments.${name}`),
    about: 'usuários, segundo fator, chaves de acesso e imagens',
    term: 'até que se removam, ou o pedido de eliminação',
    reason: 'em uso',
  },
  {
    collections: ['payments.erasures', 'payments.member-erasures'],
    about: 'pedidos de eliminação; o nome e o documento de quem pagou, até o prazo da lei',
    term: null,
    reason: 'LGPD, arts. 16, I, e 37: prova do pedido',
  },
  {
    collections: ['payments.mails', 'payments.messages'],
    about: 'e-mails e mensagens, enviados ou não; com código, até que ele expire',
    term: '7 dias depois da criação',
    reason: 'repetição do envio',
  },
  {
    collections: ['http.keys'],
    about: 'respostas a requisições com `Idempotency-Key`, cifradas',
    term: '24 horas depois da primeira',
    reason: 'repetição segura',
  },
  {
    collections: ['payments.bank-operations'],
    about: 'ordens ao banco; em andamento, até a resposta',
    term: '30 dias depois da resposta',
    reason: 'repetição segura',
  },
  {
    collections: ['payments.unreadable-bank-records'],
    about: 'números de registros do banco que não se puderam ler',
    term: '400 dias',
    reason: 'um aviso ao operador para cada um',
  },
  {
    collections: ['payments.reconciliations', 'payments.differences', 'payments.listed-movements'],
    about: 'conciliações e suas diferenças',
    term: '30 dias depois do fim',
    reason: 'conferência',
  },
  {
    collections: ['payments.trusted-devices'],
    about: 'dispositivos confiáveis',
    term: '30 dias depois da confirmação',
    reason: 'em uso',
  },
  {
    collections: [
      ...['codes', 'code-tries', 'password-links', 'passkey-ceremonies', 'challenges', 'throttles', 'card-tries'],
      ...['link-payers', 'message-counts', 'pay-out-sums', 'sent-transfers', 'sent-withdrawals', 'key-lookups'],
      ...['bounded-counts'],
    ]
      .map((name) => `payments.${name}`)
      .concat('http.rates'),
    about: 'códigos, desafios, tentativas e contagens de limites',
    term: 'até que expirem, no máximo 60 dias',
    reason: 'limites e repetição',
  },
  {
    collections: ['payments.jobs', 'payments.processes', 'host.key-checks'],
    about: 'tarefas e processos do servidor, sem dados pessoais',
    term: null,
    reason: 'em uso',
  },
]

/** The kinds whose records always end. */
type EndingKind = 'sessions' | 'exports'

const isEnding = (kind: RetentionKind): kind is EndingKind => kind === 'sessions' || kind === 'exports'

/** Returns the accepted terms of a kind in words; `endless` is the word for no end. */
export const acceptedTerms = (kind: RetentionKind, endless: string): string => {
  const { least, greatest } = SET_RETENTION[kind]
  return `${least} to ${greatest}${isEnding(kind) ? '' : ` or ${endless}`}`
}

/** Reports whether a kind accepts a term in days; null stands for no end. */
export const isTerm = (kind: RetentionKind, days: unknown): days is number | null => {
  if (days === null) return !isEnding(kind)
  const { least, greatest } = SET_RETENTION[kind]
  return typeof days === 'number' && Number.isInteger(days) && days >= least && days <= greatest
}

/** Returns the seconds for which records of a kind that always end are stored. */
export const retentionSeconds = (days: RetentionDays | undefined, kind: EndingKind): number =>
  (days?.[kind] ?? SET_RETENTION[kind].days) * DAY_SECONDS

const DAY_SECONDS = 86_400

/** Returns the instant before which records of a kind have ended; null if they have no end. */
export const endedBefore = (days: RetentionDays | undefined, kind: RetentionKind, now: Instant): Instant | null => {
  const set = days?.[kind]
  const term = set === undefined ? SET_RETENTION[kind].days : set
  return term === null ? null : addSeconds(now, -term * DAY_SECONDS)
}
