import css from './graph.module.css'

/** In the place of the picture until it is there. */
export function GraphComing() {
  return <div className={css['coming']} role="status" aria-label="The graph is being drawn" />
}
