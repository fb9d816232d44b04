import { useState } from 'preact/hooks'
import { Check, Form, PinField, refuseMistakes, useFields } from '../../../../panels/browser/form.tsx'
import { readMoney } from '../../../../panels/browser/format.ts'
import { useAction } from '../../../../panels/browser/live.ts'
import { EMPTY_TERMS, RateFields, type TermsDraft, termMistakes } from '../charge-fields.tsx'
import { Part } from '../parts.tsx'
import { request, withPassword } from '../session.ts'

/** The terms of charges that have none of their own. Absent fields are not set. */
export interface DefaultTerms {
  readonly boleto_configs: {
    readonly rate: number | null
    readonly type_rate: string | null
    readonly fine?: number | null
    readonly type_fine?: string | null
    readonly discount: number | null
    readonly type_discount: string | null
  } | null
  readonly no_consumer_relation?: boolean
}

const rateText = (rate: number | null | undefined): string => (rate ? `${rate}`.replace('.', ',') : '')

const draftOf = ({ boleto_configs: stored }: DefaultTerms): TermsDraft => ({
  ...EMPTY_TERMS,
  amount_rate: rateText(stored?.rate),
  type_rate: stored?.type_rate ?? EMPTY_TERMS.type_rate,
  fine: rateText(stored?.fine),
  type_fine: stored?.type_fine ?? EMPTY_TERMS.type_fine,
  discount: rateText(stored?.discount),
  type_discount: stored?.type_discount ?? EMPTY_TERMS.type_discount,
})

/** Returns the terms as the API takes them; an empty rate removes the stored one. */
const bodyOf = ({ amount_rate, type_rate, fine, type_fine, discount, type_discount }: TermsDraft) => ({
  ...{ rate: readMoney(amount_rate), type_rate },
  ...{ fine: readMoney(fine), type_fine },
  ...{ discount: readMoney(discount), type_discount },
})

/**
 * A change of the account, sent with its PIN, which is forgotten afterwards; `pin` has the properties of the PIN's
 * field.
 */
export const useAccountChange = () => {
  const [typed, setTyped] = useState('')
  const [isSaved, setSaved] = useState(false)
  const action = useAction()
  const save = async (change: object, onSaved?: () => void): Promise<void> => {
    setSaved(false)
    const send = () => request('PUT', 'access/account', { body: { pin: typed, ...change } })
    await withPassword(send).finally(() => setTyped(''))
    setSaved(true)
    onSaved?.()
  }
  return { pin: { value: typed, onValue: setTyped, error: action.fields.pin }, isSaved, action, save }
}

/** The interest, fine and discount of charges that are issued without their own. */
export const DefaultTermsForm = ({ account }: { readonly account: DefaultTerms }) => {
  const [hasNoConsumers, setNoConsumers] = useState(account.no_consumer_relation ?? false)
  const { pin, isSaved, action, save } = useAccountChange()
  const { draft: terms, set } = useFields(draftOf(account), action.fields)
  const send = async (): Promise<void> => {
    refuseMistakes(termMistakes(terms))
    await save({ boleto_configs: bodyOf(terms), no_consumer_relation: hasNoConsumers })
  }
  const { 'boleto_configs.rate': amount_rate, ...others } = action.fields
  const sent = Object.entries(others).map(([path, text]) => [path.replace('boleto_configs.', ''), text])
  const errors = { ...Object.fromEntries(sent), ...(amount_rate && { amount_rate }) }
  return (
    <Part
      title="Juros, multa e desconto"
      hint="Valem para as novas cobranças que não dizem os seus. Em branco, nenhum."
    >
      <Form action={action} button="Salvar juros, multa e desconto" send={send}>
        <RateFields terms={terms} onTerms={set} errors={errors} />
        <Check
          label="Declaro que nenhuma cobrança é de relação de consumo, e a multa pode passar de 2%"
          isChecked={hasNoConsumers}
          onChecked={setNoConsumers}
        />
        <PinField name="terms-pin" {...pin} />
        {isSaved && <p role="status">Juros, multa e desconto salvos.</p>}
      </Form>
    </Part>
  )
}
