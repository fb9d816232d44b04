import { useEffect, useState } from 'preact/hooks'
import { messageOf } from '../../../../panels/browser/connection.ts'
import { Alert, Dialog, Loading } from '../../../../panels/browser/elements.tsx'
import { Checks, Choice } from '../../../../panels/browser/form.tsx'
import { request } from '../session.ts'
import { CHANNELS } from '../words.ts'

export interface Rule {
  readonly enabled: boolean
  readonly message: string | null
  readonly channels: readonly string[]
  readonly days: number | null
}

export const NO_RULE: Rule = { enabled: false, message: null, channels: ['email'], days: null }

const MAX_MESSAGE = 500
const TYPING_MS = 400

interface Preview {
  readonly subject: string | null
  readonly html: string | null
  readonly text: string
}

/** The logo is fetched from this server, whatever host its public address names. */
export const logoPath = (address: string): string => address.slice(address.indexOf('storage/'))

/**
 * Adapts a mail to the policy of the page. Its style sheet, which is for the dark and for phones, is left out; its logo
 * is fetched from this server.
 */
const inFrame = (html: string): string =>
  html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/(<img src=")([^"]*)/, (_, start: string, address: string) => start + logoPath(address))

/** A message as its receiver sees it. The frame of a mail runs no scripts, and leads nowhere. */
const MessageView = ({ subject, html, text }: Preview) => {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the keyboard
  const plain = <pre tabIndex={0}>{text}</pre>
  if (html === null) return plain
  return (
    <>
      <p class="hint">Assunto: {subject}</p>
      <iframe class="mail" title="O e-mail, como o cliente o vê" sandbox="" srcDoc={inFrame(html)} />
      <details class="more">
        <summary>O mesmo, em texto</summary>
        {plain}
      </details>
    </>
  )
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
  const [failure, setFailure] = useState<string | null>(null)
  const { message } = rule
  useEffect(() => {
    let isEnded = false
    const read = async (): Promise<void> => {
      const body = { rule: name, channel, message }
      try {
        const reply = await request<{ readonly preview: Preview }>('POST', 'v1/account/message-preview', { body })
        if (isEnded) return
        setPreview(reply.preview)
        setFailure(null)
      } catch (error) {
        if (!isEnded) setFailure(messageOf(error))
      }
    }
    const timer = setTimeout(read, preview === null ? 0 : TYPING_MS)
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
      <Checks
        legend="Por onde"
        name="rule-channels"
        values={rule.channels}
        onValues={(channels) => onChange({ ...rule, channels })}
        options={CHANNELS}
      />
      <Choice label="Ver como" name="rule-channel" value={channel} onValue={setChannel} options={CHANNELS} />
      <h3>Com dados de exemplo</h3>
      <Alert text={failure} />
      {preview === null && failure === null && <Loading />}
      {preview && <MessageView {...preview} />}
    </Dialog>
  )
}
