import { useState } from 'preact/hooks'
import { Alert, Loading } from '../../../../panels/browser/elements.tsx'
import { Field, Form } from '../../../../panels/browser/form.tsx'
import { readMoney } from '../../../../panels/browser/format.ts'
import { useAction } from '../../../../panels/browser/live.ts'
import { request, SLOW_MS, useLive, withPassword } from '../session.ts'
import { withFactor } from './confirmations.tsx'

interface Policy {
  readonly second_factor_required: boolean
  /** In reais; null for none. */
  readonly second_factor_from: number | null
}

interface PolicyReply {
  readonly second_factor: Policy
}

const POLICY = 'v1/account/second-factor'

/** The second factor that the account asks of its members. */
export const FactorPolicy = () => {
  const { data, error, refresh } = useLive<PolicyReply>(POLICY, SLOW_MS)
  return (
    <section class="card part">
      <h2>Segundo fator da equipe</h2>
      <Alert text={data === null ? error : null} />
      {data === null && error === null && <Loading />}
      {data && <PolicyForm policy={data.second_factor} onSaved={refresh} />}
    </section>
  )
}

const reaisText = (reais: number | null): string => (reais === null ? '' : reais.toFixed(2).replace('.', ','))

const PolicyForm = ({ policy, onSaved }: { readonly policy: Policy; readonly onSaved: () => void }) => {
  const [isRequired, setRequired] = useState(policy.second_factor_required)
  const [from, setFrom] = useState(reaisText(policy.second_factor_from))
  const [mistake, setMistake] = useState<string | undefined>()
  const [isSaved, setSaved] = useState(false)
  const action = useAction()
  const save = (): void => {
    const text = from.trim()
    const reais = text === '' ? null : readMoney(text)
    const isWrong = text !== '' && reais === null
    setMistake(isWrong ? 'Escreva o valor em reais: 5.000,00. Deixe vazio para nunca pedir.' : undefined)
    setSaved(false)
    if (isWrong) return
    action.run(async () => {
      const body = { second_factor_required: isRequired, second_factor_from: reais }
      await withPassword(() => withFactor((secondFactor) => request('PATCH', POLICY, { body, secondFactor })))
      setSaved(true)
      onSaved()
    })
  }
  return (
    <Form action={action} button="Definir segundo fator" onSend={save}>
      <label class="check">
        <input
          type="checkbox"
          checked={isRequired}
          onChange={({ currentTarget }) => setRequired(currentTarget.checked)}
        />
        Exigir o segundo fator de todos os membros
      </label>
      <Field
        label="Pedir em saques e transferências a partir de"
        name="factor-from"
        inputMode="decimal"
        autocomplete="off"
        hint="Em reais, além do PIN. Vazio para nunca pedir."
        value={from}
        onValue={setFrom}
        error={mistake ?? action.fields.second_factor_from}
      />
      {isSaved && <p role="status">Segundo fator da equipe salvo.</p>}
    </Form>
  )
}
