import { useEffect, useState } from 'preact/hooks'
import { Alert, Dialog, Loading } from '../../../panels/browser/elements.tsx'
import { Choice } from '../../../panels/browser/form.tsx'
import { useAction } from '../../../panels/browser/live.ts'
import { request } from './session.ts'

export interface Rule {
  readonly enabled: boolean
  readonly message: string | null
  readonly channels: readonly string[]
  readonly days: number | null
}

export const NO_RULE: Rule = { enabled: false, message: null, channels: ['email'], days: null }

const CHANNELS = [
  ['email', 'E-mail'],
  ['whatsapp', 'WhatsApp'],
  ['sms', 'SMS'],
] as const

const MAX_MESSAGE = 500
const TYPING_MS = 400

interface Preview {
  readonly subject: string | null
  readonly text: string
}

interface RuleProps {
  readonly name: string
  readonly rule: Rule
  readonly onChange: (rule: Rule) => void
  readonly onClose: () => void
}

/** The text and the channels of a rule, with its message as a payer would get it. */
export const RuleDialog = ({ name, rule, onChange, onClose }: RuleProps) => {
  const [channel, setChannel] = useState(rule.channels[0] ?? 'email')
  const [preview, setPreview] = useState<Preview | null>(null)
  const action = useAction()
  const { message } = rule
  useEffect(() => {
    let isEnded = false
    const timer = setTimeout(
      () =>
        action.run(async () => {
          const body = { rule: name, channel, message }
          const reply = await request<{ readonly preview: Preview }>('POST', 'v1/account/message-preview', { body })
          if (!isEnded) setPreview(reply.preview)
        }),
      preview === null ? 0 : TYPING_MS,
    )
    return () => {
      isEnded = true
      clearTimeout(timer)
    }
  }, [name, channel, message])
  return (
    <Dialog title="Mensagem ao cliente" onClose={onClose}>
      <div class="field">
        <label for="rule-message">Seu texto, no lugar do padrão</label>
        <textarea
          id="rule-message"
          rows={3}
          maxLength={MAX_MESSAGE}
          value={message ?? ''}
          onInput={({ currentTarget }) => onChange({ ...rule, message: currentTarget.value || null })}
        />
      </div>
      <fieldset>
        <legend>Por onde</legend>
        {CHANNELS.map(([value, text]) => (
          <label class="check" key={value}>
            <input
              type="checkbox"
              checked={rule.channels.includes(value)}
              onChange={({ currentTarget }) =>
                onChange({
                  ...rule,
                  channels: currentTarget.checked
                    ? [...rule.channels, value]
                    : rule.channels.filter((each) => each !== value),
                })
              }
            />
            {text}
          </label>
        ))}
      </fieldset>
      <Choice label="Ver como" name="rule-channel" value={channel} onValue={setChannel} options={CHANNELS} />
      <h3>Com dados de exemplo</h3>
      <Alert text={action.error} />
      {preview === null && action.error === null && <Loading />}
      {preview?.subject && <p class="hint">Assunto: {preview.subject}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard */}
      {preview && <pre tabIndex={0}>{preview.text}</pre>}
    </Dialog>
  )
}
