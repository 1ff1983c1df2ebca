// Shows the pictures that contestants have uploaded in place of their drawn faces.
import { onShown } from "./motion.js";
const pictures = JSON.parse(document.getElementById("portraits")?.dataset.pictures ?? "{}");

// Called after every position shown.
function hang() {
  for (const face of document.querySelectorAll(".avatar[data-sits]:not(:has(> image))")) {
    if (!(face.dataset.sits in pictures)) continue;
    const picture = document.createElementNS("http://www.w3.org/2000/svg", "image");
    for (const [name, value] of Object.entries({ width: 40, height: 40, href: pictures[face.dataset.sits] })) {
      picture.setAttribute(name, value);
    }
    picture.style.clipPath = "inset(0 round 8px)";
    face.append(picture);
  }
}

if (Object.keys(pictures).length) onShown(hang);
