import { useState } from 'preact/hooks'
import { Alert, CopyButton, Dialog, Loading, Title } from '../../../panels/browser/elements.tsx'
import { Field, Form } from '../../../panels/browser/form.tsx'
import { count, dayText, instantText, money, readMoney, today } from '../../../panels/browser/format.ts'
import { type ListReply, Pages, Search } from '../../../panels/browser/list.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { addressOf, goTo, route } from '../../../panels/browser/route.ts'
import { type Charge, StatusChip } from './charges.tsx'
import { drafts, may, request, requestOnce, useLive } from './session.ts'

interface PaymentLink {
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

const ACTIVE = 1

const amountText = ({ amount, is_variable_amount, min_amount, max_amount }: PaymentLink): string => {
  if (!is_variable_amount) return money(amount ?? 0)
  if (min_amount === null && max_amount === null) return 'Valor livre'
  if (max_amount === null) return `A partir de ${money(min_amount ?? 0)}`
  return min_amount === null ? `Até ${money(max_amount)}` : `${money(min_amount)} a ${money(max_amount)}`
}

const usesText = ({ uses_count, max_uses }: PaymentLink): string =>
  `${count(uses_count)}${max_uses === null ? '' : ` de ${count(max_uses)}`} ${uses_count === 1 ? 'uso' : 'usos'}`

const LinkChip = ({ link }: { readonly link: PaymentLink }) => (
  <span class={`chip ${link.status.value === ACTIVE ? 'paid' : ''}`}>{link.status.label}</span>
)

export const Links = () => {
  const { query } = route.value
  const search = query.get('search') ?? ''
  const sent = new URLSearchParams({ per_page: '20', page: query.get('pagina') ?? '1', ...(search && { search }) })
  const { data, error } = useLive<ListReply<PaymentLink>>(`billing/payment-links?${sent}`)
  return (
    <>
      <header class="head">
        <Title>Links de pagamento</Title>
        {may('links:write') && (
          <a class="button" href="#/links/novo">
            Novo link
          </a>
        )}
      </header>
      <Search
        key={query.get('search')}
        placeholder="Título ou descrição"
        onSearch={(text) => goTo(addressOf('/links', { search: text }))}
      />
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading lines={5} />}
      {data && data.data.length === 0 && (
        <p class="none">{search === '' ? 'Nenhum link ainda.' : 'Nenhum link com esta busca.'}</p>
      )}
      {data && data.data.length > 0 && (
        <section class="card part">
          <ul class="lines">
            {data.data.map((link) => (
              <li key={link.id}>
                <span>
                  <a href={`#/links/${link.id}`}>{link.title}</a>
                  <small>{usesText(link)}</small>
                </span>
                <LinkChip link={link} />
                <strong>{amountText(link)}</strong>
              </li>
            ))}
          </ul>
          <Pages meta={data.meta} one="link" many="links" />
        </section>
      )}
    </>
  )
}

export const LinkPage = ({ id }: { readonly id: string }) => {
  const path = `billing/payment-links/${encodeURIComponent(id)}`
  const { data, error, isMissing } = useLive<{ readonly data: PaymentLink }>(path)
  const page = route.value.query.get('pagina') ?? '1'
  const payments = useLive<ListReply<Charge>>(`${path}/payments?per_page=20&page=${page}`).data
  const [isEnding, setEnding] = useState(false)
  if (isMissing && data === null) return <Title>Link não encontrado</Title>
  if (data === null)
    return (
      <>
        <Title>Link de pagamento</Title>
        <Alert text={error} />
        {error === null && <Loading />}
      </>
    )
  const link = data.data
  return (
    <>
      <header class="head">
        <div>
          <p class="hint">
            <a href="#/links">Links de pagamento</a>
          </p>
          <Title>{link.title}</Title>
        </div>
        <LinkChip link={link} />
      </header>
      <div class="columns">
        <section class="card part">
          <h2>{amountText(link)}</h2>
          {link.description && <p>{link.description}</p>}
          <p class="hint">
            {usesText(link)}
            {link.expires_at && ` · vale até ${dayText(link.expires_at)}`}
          </p>
          <p class="copyable">{link.public_url}</p>
          <div class="choices">
            <CopyButton text={link.public_url} label="Copiar endereço" />
            {may('links:write') && (
              <button type="button" class="quiet wrong" onClick={() => setEnding(true)}>
                Encerrar
              </button>
            )}
          </div>
        </section>
        <section class="card part">
          <h2>Cobranças do link</h2>
          {payments === null && <Loading />}
          {payments && payments.data.length === 0 && <p class="none">Nenhuma ainda.</p>}
          <ul class="lines">
            {payments?.data.map((charge) => (
              <li key={charge.id}>
                <span>
                  <a href={`#/cobrancas/${charge.id}`}>{charge.client.name}</a>
                  <small>{instantText(charge.created_at)}</small>
                </span>
                <StatusChip charge={charge} />
                <strong>{money(charge.value)}</strong>
              </li>
            ))}
          </ul>
          {payments && payments.meta.last_page > 1 && <Pages meta={payments.meta} one="cobrança" many="cobranças" />}
        </section>
      </div>
      {isEnding && <EndLink path={path} onClose={() => setEnding(false)} />}
    </>
  )
}

const EndLink = ({ path, onClose }: { readonly path: string; readonly onClose: () => void }) => {
  const action = useAction()
  return (
    <Dialog title="Encerrar este link?" isWarning onClose={onClose}>
      <p>O endereço deixa de receber pagamentos. As cobranças dele ficam. Isto não se desfaz.</p>
      <Form
        action={action}
        button="Encerrar link"
        onSend={() =>
          action.run(async () => {
            await request('DELETE', path)
            goTo('/links')
          })
        }
      >
        {null}
      </Form>
    </Dialog>
  )
}

const METHODS = [
  ['PIX', 'Pix'],
  ['BOLETO', 'Boleto'],
  ['CARD', 'Cartão'],
] as const

const EMPTY = { title: '', description: '', amount: '', expires_at: '', max_uses: '', methods: ['PIX'] as string[] }

const NEW_LINK = 'link'

export const NewLink = () => {
  const [fields, setFields] = useState((drafts.get(NEW_LINK) as typeof EMPTY | undefined) ?? EMPTY)
  const [mistake, setMistake] = useState<string | null>(null)
  const action = useAction()
  const change = (changes: Partial<typeof EMPTY>): void => {
    const draft = { ...fields, ...changes }
    drafts.set(NEW_LINK, draft)
    setFields(draft)
  }
  const create = (): void => {
    const isFree = fields.amount.trim() === ''
    const amount = readMoney(fields.amount)
    setMistake(!isFree && amount === null ? 'Escreva o valor em reais: 150,50.' : null)
    if (!isFree && amount === null) return
    action.run(async () => {
      const body = {
        title: fields.title,
        payment_methods: fields.methods,
        is_variable_amount: isFree,
        ...(amount !== null && { amount }),
        ...(fields.description && { description: fields.description }),
        ...(fields.expires_at && { expires_at: fields.expires_at }),
        ...(fields.max_uses && { max_uses: Number(fields.max_uses) }),
      }
      const { data } = await requestOnce<{ readonly data: PaymentLink }>('billing/payment-links', body)
      drafts.delete(NEW_LINK)
      goTo(`/links/${data.id}`)
    })
  }
  const field = (name: Exclude<keyof typeof EMPTY, 'methods'>, label: string) => ({
    name,
    label,
    value: fields[name],
    onValue: (value: string) => change({ [name]: value }),
    error: action.fields[name],
  })
  return (
    <section class="card narrow wide">
      <p class="hint">
        <a href="#/links">Links de pagamento</a>
      </p>
      <Title>Novo link</Title>
      <Form action={action} button="Criar link" onSend={create}>
        <Field {...field('title', 'Título')} hint="O que se compra. Quem paga lê." maxLength={255} />
        <Field {...field('description', 'Descrição')} />
        <Field
          {...field('amount', 'Valor em reais')}
          inputMode="decimal"
          hint="Em branco, quem paga escolhe o valor."
          error={mistake ?? action.fields.amount}
        />
        <fieldset>
          <legend>Meios de pagamento</legend>
          {METHODS.map(([value, name]) => (
            <label class="check" key={value}>
              <input
                type="checkbox"
                checked={fields.methods.includes(value)}
                onChange={({ currentTarget }) =>
                  change({
                    methods: currentTarget.checked
                      ? [...fields.methods, value]
                      : fields.methods.filter((each) => each !== value),
                  })
                }
              />
              {name}
            </label>
          ))}
          {action.fields.payment_methods && <p class="error">{action.fields.payment_methods}</p>}
        </fieldset>
        <div class="pair">
          <Field {...field('expires_at', 'Vale até')} type="date" min={today()} hint="Em branco, não vence." />
          <Field {...field('max_uses', 'Usos, no máximo')} inputMode="numeric" hint="Em branco, sem limite." />
        </div>
      </Form>
    </section>
  )
}
