import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Alert, Dialog, Loading, Title } from '../../../panels/browser/elements.tsx'
import { Field, Form } from '../../../panels/browser/form.tsx'
import { instantText, money, readMoney } from '../../../panels/browser/format.ts'
import { type ListReply, Pages } from '../../../panels/browser/list.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { addressOf, route } from '../../../panels/browser/route.ts'
import { Receipt } from './download.tsx'
import { requestWithFactor } from './security/confirmations.tsx'
import { may, request, requestOnce, useLive } from './session.ts'

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

const SLOW_MS = 10_000

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
  const { data, error } = useLive<{ readonly limits: readonly Limit[] }>('v1/account/limits')
  return (
    <section class="card part">
      <h2>Limites</h2>
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading />}
      <ul class="lines">
        {data?.limits.map(({ period, limit, used, left, resets_at }) => (
          <li key={period}>
            <span>
              {PERIODS[period]}
              <small>
                {limit === null ? 'Sem limite' : `Limite de ${money(limit)}`}
                {used !== null && ` · usado ${money(used)}`}
                {resets_at && ` · até ${instantText(resets_at)}`}
              </small>
            </span>
            {left !== null && period !== 'transaction' && <strong>Resta {money(left)}</strong>}
          </li>
        ))}
      </ul>
    </section>
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
  const { data, error, refresh } = useLive<ListReply<{ readonly pix_recipients: readonly Recipient[] }>>(path, SLOW_MS)
  const recipients = data?.data.flatMap(({ pix_recipients }) => pix_recipients) ?? []
  return (
    <section class="card part">
      <h2>Destinatários</h2>
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading />}
      {data && recipients.length === 0 && <p class="none">Quem receber um saque fica aqui.</p>}
      <ul class="lines">
        {recipients.map((recipient) => (
          <li key={recipient.id}>
            <span>
              {recipient.name}
              <small>
                {recipient.document} · {recipient.bank_name}
                {recipient.pix_key && ` · ${recipient.pix_key}`}
              </small>
            </span>
            {recipient.pix_key && may('withdrawals:write') && (
              <a
                href={addressOf('/saques/novo', { chave: recipient.pix_key })}
                aria-label={`Sacar para ${recipient.name}`}
              >
                Sacar
              </a>
            )}
            {may('withdrawals:write') && <RemoveRecipient recipient={recipient} onRemoved={refresh} />}
          </li>
        ))}
      </ul>
      {data && data.data.length > 0 && (
        <Pages meta={data.meta} one="destinatário" many="destinatários" parameter={PAGE_OF_RECIPIENTS} />
      )}
      {may('withdrawals:write') && <NewRecipient onAdded={refresh} />}
    </section>
  )
}

interface RemoveProps {
  readonly recipient: Recipient
  readonly onRemoved: () => void
}

const RemoveRecipient = ({ recipient, onRemoved }: RemoveProps) => {
  const [isAsking, setAsking] = useState(false)
  const action = useAction()
  const remove = async (): Promise<void> => {
    await request('DELETE', `v1/recipients/${recipient.id}`)
    onRemoved()
  }
  return (
    <>
      <button
        type="button"
        class="quiet wrong"
        aria-label={`Remover ${recipient.name}`}
        onClick={() => setAsking(true)}
      >
        Remover
      </button>
      {isAsking && (
        <Dialog title={`Remover ${recipient.name}?`} isWarning onClose={() => setAsking(false)}>
          <p>Os saques já feitos continuam na lista.</p>
          <Form action={action} button="Remover destinatário" onSend={() => action.run(remove)}>
            {null}
          </Form>
        </Dialog>
      )}
    </>
  )
}

const NewRecipient = ({ onAdded }: { readonly onAdded: () => void }) => {
  const [key, setKey] = useState('')
  const action = useAction()
  const add = async (): Promise<void> => {
    await requestOnce('v1/recipients', { keypix: key.trim() })
    setKey('')
    onAdded()
  }
  return (
    <Form action={action} button="Adicionar destinatário" onSend={() => action.run(add)}>
      <Field
        label="Chave Pix do novo destinatário"
        name="recipient-key"
        autocomplete="off"
        value={key}
        onValue={setKey}
        error={action.fields.keypix}
      />
    </Form>
  )
}

interface WithdrawalReply {
  readonly data: Withdrawal
  readonly transaction: { readonly id: number; readonly balance: number; readonly datetime: string } | null
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

export const WithdrawalPage = ({ id }: { readonly id: string }) => {
  const { data, error, isMissing } = useLive<WithdrawalReply>(`recipients/${encodeURIComponent(id)}`)
  if (data === null)
    return (
      <>
        <Title>{isMissing ? 'Saque não encontrado' : 'Saque'}</Title>
        <Alert text={isMissing ? null : error} />
        {error === null && <Loading lines={5} />}
        <p>
          <a href="#/saques">Ver todos os saques</a>
        </p>
      </>
    )
  const { data: withdrawal, transaction } = data
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

interface TransferReply {
  readonly message: string
}

/** A transfer to another account of the platform, which its API key names. */
export const NewTransfer = () => {
  const [token, setToken] = useState('')
  const [amount, setAmount] = useState('')
  const [description, setDescription] = useState('')
  const [mistake, setMistake] = useState<string | null>(null)
  const [done, setDone] = useState<string | null>(null)
  const action = useAction()
  const { fields } = action
  const send = (): void => {
    const reais = readMoney(amount)
    setDone(null)
    setMistake(reais === null ? 'Escreva o valor em reais: 150,50.' : null)
    // An amount that is not readable is reported by the API with the other wrong fields.
    action.run(async () => {
      const text = description.trim()
      const body = { token: token.trim(), amount: reais, ...(text && { description: text }) }
      const { message } = await requestWithFactor<TransferReply>('transfers/internal', body)
      setToken('')
      setAmount('')
      setDone(message)
    })
  }
  return (
    <section class="card narrow">
      <p class="hint">
        <a href="#/saques">Saques</a>
      </p>
      <Title>Transferir</Title>
      <p class="hint">Para outra conta desta plataforma, sem tarifa.</p>
      {done && (
        <p class="done" role="status">
          {done}
        </p>
      )}
      <Form action={action} button="Transferir" onSend={send}>
        <Field
          label="Chave de API da conta de destino"
          name="transfer-token"
          type="password"
          autocomplete="off"
          hint="Quem recebe a mostra em Desenvolvedores."
          value={token}
          onValue={setToken}
          error={fields.token}
        />
        <Field
          label="Valor em reais"
          name="transfer-amount"
          inputMode="decimal"
          autocomplete="off"
          value={amount}
          onValue={setAmount}
          error={mistake ?? fields.amount ?? fields.value}
        />
        <Field
          label="Descrição"
          name="transfer-description"
          maxLength={255}
          value={description}
          onValue={setDescription}
          error={fields.description}
        />
      </Form>
    </section>
  )
}
