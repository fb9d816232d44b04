import { render } from 'preact'
import { keepFocus } from '../../../panels/browser/elements.tsx'
import { Board } from './board.tsx'
import { Enter, Found, Refusal, Reset } from './enter.tsx'
import { start } from './entry.ts'
import { view } from './session.ts'

const Panel = () => {
  const shown = view.value
  switch (shown.name) {
    case 'wait':
      return (
        <p class="narrow hint" role="status">
          {shown.text}
        </p>
      )
    case 'enter':
      return <Enter {...shown} />
    case 'refused':
      return <Refusal {...shown} />
    case 'found':
      return <Found {...shown} />
    case 'reset':
      return <Reset />
    case 'board':
      return <Board profile={shown.profile} />
  }
}

start()
const place = document.querySelector<HTMLElement>('#panel')
place?.replaceChildren()
if (place) {
  render(<Panel />, place)
  keepFocus(place)
}
