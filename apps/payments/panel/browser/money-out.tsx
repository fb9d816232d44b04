import { useState } from 'preact/hooks'
import { Done, Title } from '../../../panels/browser/elements.tsx'
import { ConfirmedButton, Field, Form, sendWithMistakes, useForm } from '../../../panels/browser/form.tsx'
import { instantText, MONEY_MISTAKE, money, readMoney } from '../../../panels/browser/format.ts'
import { type ListReply, Pages } from '../../../panels/browser/list.tsx'
import { addressOf, route } from '../../../panels/browser/route.ts'
import { Receipt } from './download.tsx'
import { Back, Fact, Line, Lines, Part, Unread } from './parts.tsx'
import { requestWithFactor } from './security/confirmations.tsx'
import { type MessageReply, may, request, requestOnce, SLOW_MS, useLive } from './session.ts'

export interface Withdrawal {
  readonly id: number
  readonly value: number
  readonly status: { readonly value: string; readonly title: string; readonly description: string }
  readonly name: string
  readonly document: string
  readonly key_pix: string | null
  readonly bank_code: string
  readonly branch: string
  readonly account_number: string
  readonly message: string | null
  readonly created_at: string
  readonly endtoendid: string | null
}

const CHIPS: Readonly<Record<string, string>> = { concluido: 'paid', failed: 'failed' }

export const WithdrawalChip = ({ status }: Pick<Withdrawal, 'status'>) => (
  <span class={`chip ${CHIPS[status.value] ?? 'pending'}`}>{status.title}</span>
)

interface Limit {
  readonly period: 'transaction' | 'day' | 'night'
  readonly limit: number | null
  readonly used: number | null
  readonly left: number | null
  readonly resets_at: string | null
}

const PERIODS: Readonly<Record<Limit['period'], string>> = {
  transaction: 'Por transação',
  day: 'No dia',
  night: 'Na noite, das 20h às 6h',
}

/** The limits on money that leaves the account, and what is left of them. */
export const Limits = () => {
  const live = useLive<{ readonly limits: readonly Limit[] }>('v1/account/limits')
  return (
    <Part title="Limites" live={live}>
      <Lines of={live.data?.limits}>
        {({ period, limit, used, left, resets_at }) => (
          <Line
            key={period}
            name={PERIODS[period]}
            note={[
              limit === null ? 'Sem limite' : `Limite de ${money(limit)}`,
              used !== null && `usado ${money(used)}`,
              resets_at && `até ${instantText(resets_at)}`,
            ]
              .filter(Boolean)
              .join(' · ')}
          >
            {left !== null && period !== 'transaction' && <strong>Resta {money(left)}</strong>}
          </Line>
        )}
      </Lines>
    </Part>
  )
}

interface Recipient {
  readonly id: number
  readonly pix_key: string | null
  readonly name: string
  readonly document: string
  readonly bank_name: string
  readonly count: number
}

const PAGE_OF_RECIPIENTS = 'destinatarios'

/** The receivers of earlier withdrawals, and those that were added by key. */
export const Recipients = () => {
  const page = route.value.query.get(PAGE_OF_RECIPIENTS) ?? '1'
  const path = `legacypay/withdraws/recipients?per_page=20&page=${page}`
  const live = useLive<ListReply<{ readonly pix_recipients: readonly Recipient[] }>>(path, SLOW_MS)
  const { data, refresh } = live
  const recipients = data?.data.flatMap(({ pix_recipients }) => pix_recipients)
  const remove = async (id: number): Promise<void> => {
    await request('DELETE', `v1/recipients/${id}`)
    refresh()
  }
  return (
    <Part title="Destinatários" live={live}>
      <Lines of={recipients} none="Quem receber um saque fica aqui.">
        {(recipient) => (
          <Line
            key={recipient.id}
            name={recipient.name}
            note={[recipient.document, recipient.bank_name, recipient.pix_key].filter(Boolean).join(' · ')}
          >
            {recipient.pix_key && may('withdrawals:write') && (
              <a
                href={addressOf('/saques/novo', { chave: recipient.pix_key })}
                aria-label={`Sacar para ${recipient.name}`}
              >
                Sacar
              </a>
            )}
            {may('withdrawals:write') && (
              <ConfirmedButton
                label={`Remover ${recipient.name}`}
                title={`Remover ${recipient.name}?`}
                text="Os saques já feitos continuam na lista."
                button="Remover destinatário"
                perform={() => remove(recipient.id)}
              >
                Remover
              </ConfirmedButton>
            )}
          </Line>
        )}
      </Lines>
      {data && data.data.length > 0 && (
        <Pages meta={data.meta} one="destinatário" many="destinatários" parameter={PAGE_OF_RECIPIENTS} />
      )}
      {may('withdrawals:write') && <NewRecipient onAdded={refresh} />}
    </Part>
  )
}

const NewRecipient = ({ onAdded }: { readonly onAdded: () => void }) => {
  const { action, draft, set, field } = useForm({ keypix: '' }, { prefix: 'recipient-' })
  const add = async (): Promise<void> => {
    await requestOnce('v1/recipients', { keypix: draft.keypix.trim() })
    set({ keypix: '' })
    onAdded()
  }
  return (
    <Form action={action} button="Adicionar destinatário" send={add}>
      <Field {...field('keypix', 'Chave Pix do novo destinatário')} autocomplete="off" />
    </Form>
  )
}

interface WithdrawalReply {
  readonly data: Withdrawal
  readonly transaction: { readonly id: number; readonly balance: number; readonly datetime: string } | null
}

export const WithdrawalPage = ({ id }: { readonly id: string }) => {
  const live = useLive<WithdrawalReply>(`recipients/${encodeURIComponent(id)}`)
  if (live.data === null)
    return (
      <Unread live={live} title="Saque" missing="Saque não encontrado" lines={5}>
        <p>
          <a href="#/saques">Ver todos os saques</a>
        </p>
      </Unread>
    )
  const { data: withdrawal, transaction } = live.data
  return (
    <>
      <header class="head">
        <div>
          <p class="hint">
            <a href="#/saques">Saques</a> · nº {withdrawal.id}
          </p>
          <Title>
            {money(withdrawal.value)} para {withdrawal.name}
          </Title>
        </div>
        <WithdrawalChip status={withdrawal.status} />
      </header>
      <section class="card part">
        <dl class="facts">
          <Fact name="Situação">{withdrawal.status.description}</Fact>
          <Fact name="Pedido">{instantText(withdrawal.created_at)}</Fact>
          <Fact name="Documento">{withdrawal.document}</Fact>
          {withdrawal.key_pix && <Fact name="Chave Pix">{withdrawal.key_pix}</Fact>}
          <Fact name="Conta de destino">
            Banco {withdrawal.bank_code}, agência {withdrawal.branch}, conta {withdrawal.account_number}
          </Fact>
          {withdrawal.message && <Fact name="Mensagem">{withdrawal.message}</Fact>}
          {withdrawal.endtoendid && <Fact name="Identificador do Pix">{withdrawal.endtoendid}</Fact>}
          {transaction && (
            <Fact name="Lançado">
              {instantText(transaction.datetime)}, saldo de {money(transaction.balance)}
            </Fact>
          )}
        </dl>
        {transaction && may('statements:read') && (
          <div class="choices">
            <Receipt transactionId={transaction.id} />
          </div>
        )}
      </section>
    </>
  )
}

/** A transfer to another account of the platform, which its API key names. */
export const NewTransfer = () => {
  const [done, setDone] = useState<string | null>(null)
  const empty = { token: '', amount: '', description: '' }
  const { action, draft, set, field } = useForm(empty, { prefix: 'transfer-' })
  const send = async (): Promise<void> => {
    setDone(null)
    const amount = readMoney(draft.amount)
    const description = draft.description.trim()
    const body = { token: draft.token.trim(), amount, ...(description && { description }) }
    const { message } = await sendWithMistakes(amount === null ? { amount: MONEY_MISTAKE } : {}, () =>
      requestWithFactor<MessageReply>('transfers/internal', body),
    )
    set({ token: '', amount: '' })
    setDone(message)
  }
  return (
    <section class="card narrow">
      <Back href="#/saques">Saques</Back>
      <Title>Transferir</Title>
      <p class="hint">Para outra conta desta plataforma, sem tarifa.</p>
      <Done text={done} />
      <Form action={action} button="Transferir" send={send}>
        <Field
          {...field('token', 'Chave de API da conta de destino')}
          type="password"
          autocomplete="off"
          hint="Quem recebe a mostra em Desenvolvedores."
        />
        <Field
          {...field('amount', 'Valor em reais')}
          inputMode="decimal"
          autocomplete="off"
          error={action.fields.amount ?? action.fields.value}
        />
        <Field {...field('description', 'Descrição')} maxLength={255} />
      </Form>
    </section>
  )
}
