import { Button } from '../../../../panels/browser/elements.tsx'
import { Choice, Field, fieldsOf } from '../../../../panels/browser/form.tsx'
import { NUMBER_MISTAKE, readMoney } from '../../../../panels/browser/format.ts'

/** A share of a charge, as typed. */
export interface SplitDraft {
  readonly account: string
  readonly unit: string
  readonly share: string
  readonly fee_bearer: string
}

const EMPTY_SPLIT: SplitDraft = { account: '', unit: 'percent', share: '', fee_bearer: 'ISSUER' }

const UNITS = [
  ['percent', '% do que for pago'],
  ['amount', 'reais'],
] as const

const FEE_BEARERS = [
  ['ISSUER', 'A sua conta'],
  ['RECEIVER', 'A conta que recebe'],
] as const

const MAX_SPLITS = 20

/** Returns the messages of shares that are no numbers. */
export const splitMistakes = (splits: readonly SplitDraft[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    splits.flatMap(({ share }, at) => (readMoney(share) === null ? [[`splits.${at}.share`, NUMBER_MISTAKE]] : [])),
  )

/** Returns the shares as the API takes them; nothing without one. */
export const splitsBody = (splits: readonly SplitDraft[]) =>
  splits.length > 0 && {
    splits: splits.map(({ account, unit, share, fee_bearer }) => ({
      account: account.trim(),
      [unit]: readMoney(share),
      fee_bearer,
    })),
  }

interface SplitFieldsProps {
  readonly splits: readonly SplitDraft[]
  readonly onSplits: (splits: readonly SplitDraft[]) => void
  readonly errors: Readonly<Record<string, string>>
}

/** The accounts that receive a part of a charge. */
export const SplitFields = ({ splits, onSplits, errors }: SplitFieldsProps) => (
  <details class="more" open={splits.length > 0 || undefined}>
    <summary>Divisão com outras contas</summary>
    <p class="hint">Cada conta recebe a sua parte quando a cobrança é paga.</p>
    {splits.map((split, at) => (
      <OneSplit
        key={at}
        at={at}
        split={split}
        errors={errors}
        onSplit={(next) => onSplits(splits.map((each, index) => (index === at ? next : each)))}
        onRemove={() => onSplits(splits.filter((_, index) => index !== at))}
      />
    ))}
    {errors.splits && (
      <p class="error" role="alert">
        {errors.splits}
      </p>
    )}
    {splits.length < MAX_SPLITS && (
      <div class="choices">
        <Button onClick={() => onSplits([...splits, EMPTY_SPLIT])}>Adicionar conta</Button>
      </div>
    )}
  </details>
)

interface OneSplitProps {
  readonly at: number
  readonly split: SplitDraft
  readonly errors: Readonly<Record<string, string>>
  readonly onSplit: (split: SplitDraft) => void
  readonly onRemove: () => void
}

const OneSplit = ({ at, split, errors, onSplit, onRemove }: OneSplitProps) => {
  const path = `splits.${at}`
  const own = Object.entries(errors).map(([name, text]) => [name.replace(`${path}.`, ''), text])
  const field = fieldsOf(split, (changes) => onSplit({ ...split, ...changes }), Object.fromEntries(own), `${path}.`)
  return (
    <fieldset>
      <legend>Conta {at + 1}</legend>
      <Field
        {...field('account', 'Chave de quem recebe')}
        hint="Quem recebe a cria em Configurações, Receber partes de cobranças."
        autocomplete="off"
        maxLength={100}
      />
      <div class="pair">
        <Field
          {...field('share', 'Parte')}
          inputMode="decimal"
          autocomplete="off"
          error={errors[`${path}.share`] ?? errors[`${path}.percent`] ?? errors[`${path}.amount`] ?? errors[path]}
        />
        <Choice {...field('unit', 'Parte em')} options={UNITS} />
      </div>
      <Choice {...field('fee_bearer', 'Quem paga a tarifa da parte')} options={FEE_BEARERS} />
      <div class="choices">
        <Button aria-label={`Retirar a conta ${at + 1}`} onClick={onRemove}>
          Retirar
        </Button>
      </div>
    </fieldset>
  )
}
