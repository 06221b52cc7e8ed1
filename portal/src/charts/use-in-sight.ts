import { useEffect, useRef, useState } from 'react';

/** Whether the element has come into sight, or near it: what is far below asks for nothing. */
export function useInSight<Element extends HTMLElement>() {
  const element = useRef<Element>(null);
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    if (element.current === null || isSeen) return undefined;
    const observer = new IntersectionObserver(
      (entries) => setSeen(entries.some(({ isIntersecting }) => isIntersecting)),
      { rootMargin: '200px' },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isSeen]);
  return { element, isSeen };
}
