import { type Html, html } from './html.ts'

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g
const SAFE_LINK = /^(?:https?:\/\/|[/#])/

/** Renders code, bold words and links. */
const inline = (text: string): readonly Html[] => {
  const pieces: Html[] = []
  let from = 0
  for (const { 0: all, 1: code, 2: bold, 3: label = '', 4: target = '', index } of text.matchAll(INLINE)) {
    pieces.push(html`${text.slice(from, index)}`)
    if (code !== undefined) pieces.push(html`<code>${code}</code>`)
    else if (bold !== undefined) pieces.push(html`<b>${bold}</b>`)
    else pieces.push(SAFE_LINK.test(target) ? html`<a href="${target}">${label}</a>` : html`${label}`)
    from = index + all.length
  }
  return [...pieces, html`${text.slice(from)}`]
}

/** A heading of the first level and its fragment. */
interface Section {
  readonly title: string
  readonly anchor: string
}

/** Returns the fragment of a heading, as the API reference, which replaces the page, generates it. */
const anchorOf = (title: string): string =>
  `description/${title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')}`

const FENCED = /^```(.*)\n([\s\S]*?)^```$/m

/** Returns the headings of the first level. */
export const sectionsOf = (text: string): readonly Section[] => {
  const prose = text.replace(new RegExp(FENCED, 'gm'), '')
  return [...prose.matchAll(/^# (.*)$/gm)].map(([, title = '']) => ({ title, anchor: anchorOf(title) }))
}

const heading = (level: number, text: string): Html => {
  const anchor = anchorOf(text)
  if (level === 1) return html`<h2 id="${anchor}">${inline(text)}</h2>`
  return level === 2 ? html`<h3 id="${anchor}">${inline(text)}</h3>` : html`<h4 id="${anchor}">${inline(text)}</h4>`
}

/** The labels of code blocks, by language. */
export const LABELS: Readonly<Record<string, string>> = {
  sh: 'Terminal',
  json: 'Resposta',
  text: 'Saída',
  js: 'Node.js',
  python: 'Python',
  php: 'PHP',
}

/** Renders a code block. It is focusable, so that the keyboard scrolls long lines. */
const fenced = (language: string, code: string): Html =>
  html`<pre data-label="${LABELS[language] ?? language}"><code class="language-${language}" tabindex="0">${code}</code></pre>\n`

const cellsOf = (row: string): readonly string[] =>
  row
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())

const table = ([head = '', _rule, ...rows]: readonly string[]): Html =>
  html`<table><tr>${cellsOf(head).map((cell) => html`<th>${inline(cell)}</th>`)}</tr>
${rows.map((row) => html`<tr>${cellsOf(row).map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</table>`

const block = (lines: readonly string[]): Html => {
  const [first = ''] = lines
  const [, marks, title = ''] = /^(#{1,6}) (.*)$/.exec(first) ?? []
  if (marks !== undefined)
    return html`${[heading(marks.length, title)]}${lines.length > 1 ? block(lines.slice(1)) : null}`
  if (first.startsWith('|')) return table(lines)
  if (first.startsWith('- ')) {
    const items = lines.join('\n').slice(2).split('\n- ')
    return html`<ul>${items.map((item) => html`<li>${inline(item)}</li>`)}</ul>`
  }
  return html`<p>${inline(lines.join('\n'))}</p>`
}

/**
 * Renders the Markdown of an introduction: headings with anchors, paragraphs, lists, tables and fenced code; inline
 * code, bold words and links. Everything else, HTML included, is text.
 */
export const markdown = (text: string): Html => {
  const parts = text.split(FENCED)
  return html`${parts.flatMap((part, at) => {
    // Parts repeat in threes: prose, the language of a code block, its code.
    if (at % 3 === 1) return []
    if (at % 3 === 2) return [fenced(parts[at - 1] ?? '', part)]
    const blocks = part.split(/\n{2,}/).map((lines) => lines.trim())
    return blocks.filter((lines) => lines !== '').map((lines) => html`${block(lines.split('\n'))}\n`)
  })}`
}
