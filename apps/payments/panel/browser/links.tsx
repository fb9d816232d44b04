import { Mistakes } from '../../../panels/browser/connection.ts'
import { Title } from '../../../panels/browser/elements.tsx'
import {
  Check,
  Checks,
  drafts,
  Field,
  Form,
  fieldsOf,
  sendWithMistakes,
  useDraft,
} from '../../../panels/browser/form.tsx'
import { count, MONEY_MISTAKE, money, readMoney, today } from '../../../panels/browser/format.ts'
import { type ListReply, pageQuery, Search } from '../../../panels/browser/list.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { addressOf, goTo, route } from '../../../panels/browser/route.ts'
import { Back, FilterLinks, Head, Line, Records } from './parts.tsx'
import { may, requestOnce, useLive } from './session.ts'

/** A payment link, as the API lists it. Amounts are in reais. */
export interface PaymentLink {
  readonly id: string
  readonly title: string
  readonly description: string | null
  readonly amount: number | null
  readonly is_variable_amount: boolean
  readonly min_amount: number | null
  readonly max_amount: number | null
  readonly status: { readonly value: number; readonly label: string }
  readonly payment_methods: readonly string[]
  readonly expires_at: string | null
  readonly max_uses: number | null
  readonly uses_count: number
  readonly public_url: string
}

/** The statuses of a link, by their values in the API. */
export const LINK_STATUS = { active: 1, paused: 2, expired: 3 } as const

const STATUS_CHIPS: Readonly<Record<number, string>> = { [LINK_STATUS.active]: 'paid', [LINK_STATUS.paused]: 'pending' }

export const amountText = ({ amount, is_variable_amount, min_amount, max_amount }: PaymentLink): string => {
  if (!is_variable_amount) return money(amount ?? 0)
  if (min_amount === null && max_amount === null) return 'Valor livre'
  if (max_amount === null) return `A partir de ${money(min_amount ?? 0)}`
  return min_amount === null ? `Até ${money(max_amount)}` : `${money(min_amount)} a ${money(max_amount)}`
}

export const usesText = ({ uses_count, max_uses }: PaymentLink): string =>
  `${count(uses_count)}${max_uses === null ? '' : ` de ${count(max_uses)}`} ${uses_count === 1 ? 'uso' : 'usos'}`

export const LinkChip = ({ link }: { readonly link: PaymentLink }) => (
  <span class={`chip ${STATUS_CHIPS[link.status.value] ?? ''}`}>{link.status.label}</span>
)

interface LinkFigures {
  readonly count: number
  readonly amount: number
}

interface LinkList extends ListReply<PaymentLink> {
  readonly summary: Readonly<Record<'all' | keyof typeof LINK_STATUS, LinkFigures>>
}

const STATUS_FILTERS = [
  ['all', 'Todos', ''],
  ['active', 'Ativos', `${LINK_STATUS.active}`],
  ['paused', 'Pausados', `${LINK_STATUS.paused}`],
  ['expired', 'Expirados', `${LINK_STATUS.expired}`],
] as const

const StatusFilters = ({ summary }: { readonly summary: LinkList['summary'] | undefined }) => {
  const { query } = route.value
  const chosen = query.get('status') ?? ''
  return (
    <FilterLinks
      label="Situação"
      filters={STATUS_FILTERS.map(([name, text, status]) => ({
        text,
        href: addressOf('/links', { search: query.get('search') ?? '', status }),
        isCurrent: chosen === status,
        number: summary ? `(${count(summary[name].count)})` : '',
      }))}
    />
  )
}

export const Links = () => {
  const { query } = route.value
  const [search, status] = [query.get('search') ?? '', query.get('status') ?? '']
  const live = useLive<LinkList>(`billing/payment-links?${pageQuery(20, { search, status })}`)
  return (
    <>
      <Head title="Links de pagamento" create={may('links:write') && ['Novo link', '#/links/novo']} />
      <StatusFilters summary={live.data?.summary} />
      <Search
        placeholder="Título ou descrição"
        onSearch={(text) => goTo(addressOf('/links', { search: text, status }))}
      />
      <Records
        live={live}
        lines={5}
        none={search || status ? 'Nenhum link com estes filtros.' : 'Nenhum link ainda.'}
        one="link"
        many="links"
      >
        {(link) => (
          <Line key={link.id} href={`#/links/${link.id}`} name={link.title} note={usesText(link)}>
            <LinkChip link={link} />
            <strong>{amountText(link)}</strong>
          </Line>
        )}
      </Records>
    </>
  )
}

const METHODS = [
  ['PIX', 'Pix'],
  ['BOLETO', 'Boleto'],
  ['CARD', 'Cartão'],
] as const

const EMPTY = {
  title: '',
  description: '',
  amount: '',
  isVariable: false,
  min_amount: '',
  max_amount: '',
  expires_at: '',
  max_uses: '',
  installments: '1',
  methods: ['PIX'] as string[],
}

type Draft = typeof EMPTY
type AmountName = 'amount' | 'min_amount' | 'max_amount'

/** The amounts that the form shows, and of these the ones that may stay empty. */
const amountNames = ({ isVariable }: Draft): readonly AmountName[] =>
  isVariable ? ['min_amount', 'max_amount'] : ['amount']
const OPTIONAL: readonly AmountName[] = ['max_amount']

/** Returns the messages of amounts that are not readable. */
const mistakesIn = (draft: Draft): Readonly<Record<string, string>> =>
  Object.fromEntries(
    amountNames(draft)
      .filter((name) => readMoney(draft[name]) === null && !(OPTIONAL.includes(name) && draft[name].trim() === ''))
      .map((name) => [name, MONEY_MISTAKE]),
  )

const bodyOf = (draft: Draft) => {
  const { title, description, expires_at, max_uses, methods, isVariable, installments } = draft
  const amounts = amountNames(draft).map((name) => [name, readMoney(draft[name])] as const)
  return {
    title,
    payment_methods: methods,
    is_variable_amount: isVariable,
    // A required amount that is not readable is reported by the API with the other wrong fields.
    ...Object.fromEntries(amounts.filter(([name, value]) => value !== null || !OPTIONAL.includes(name))),
    ...(description && { description }),
    ...(expires_at && { expires_at }),
    ...(max_uses && { max_uses: Number(max_uses) }),
    ...(methods.includes('CARD') && { installments: Number(installments) }),
  }
}

const NEW_LINK = 'link'

export const NewLink = () => {
  const { draft: fields, set: change } = useDraft(NEW_LINK, EMPTY)
  const action = useAction()
  const create = async (): Promise<void> => {
    const mistakes = mistakesIn(fields)
    if (OPTIONAL.some((name) => name in mistakes)) throw new Mistakes(mistakes)
    const { data } = await sendWithMistakes(mistakes, () =>
      requestOnce<{ readonly data: PaymentLink }>('billing/payment-links', bodyOf(fields)),
    )
    drafts.delete(NEW_LINK)
    goTo(`/links/${data.id}`)
  }
  const { methods, isVariable: _, ...texts } = fields
  const field = fieldsOf(texts, change, action.fields)
  return (
    <section class="card narrow wide">
      <Back href="#/links">Links de pagamento</Back>
      <Title>Novo link</Title>
      <Form action={action} button="Criar link" send={create}>
        <Field {...field('title', 'Título')} hint="O que se compra. Quem paga lê." maxLength={255} />
        <Field {...field('description', 'Descrição')} />
        <Check
          label="Quem paga escolhe o valor"
          isChecked={fields.isVariable}
          onChecked={(isVariable) => change({ isVariable })}
        />
        {fields.isVariable ? (
          <div class="pair">
            <Field {...field('min_amount', 'Menor valor em reais')} inputMode="decimal" />
            <Field {...field('max_amount', 'Maior valor em reais')} inputMode="decimal" hint="Em branco, sem limite." />
          </div>
        ) : (
          <Field {...field('amount', 'Valor em reais')} inputMode="decimal" />
        )}
        <Checks
          legend="Meios de pagamento"
          name="payment_methods"
          values={methods}
          onValues={(chosen) => change({ methods: chosen })}
          options={METHODS}
          error={action.fields.payment_methods}
        />
        {methods.includes('CARD') && (
          <Field {...field('installments', 'Parcelas no cartão, no máximo')} inputMode="numeric" />
        )}
        <div class="pair">
          <Field {...field('expires_at', 'Vale até')} type="date" min={today()} hint="Em branco, não vence." />
          <Field {...field('max_uses', 'Usos, no máximo')} inputMode="numeric" hint="Em branco, sem limite." />
        </div>
      </Form>
    </section>
  )
}
