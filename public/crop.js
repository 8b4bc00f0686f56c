// Lets somebody cut their picture before it is sent: dragging or arrow keys move it, the slider
// makes it larger. Without this script the server cuts the middle square.
(() => {
  const sent = 512;
  for (const box of document.querySelectorAll('[data-crop]')) offer(box, box.closest('form'));

  function offer(box, form) {
    const [canvas, zoom] = [box.querySelector('canvas'), box.querySelector('input[type=range]')];
    const input = form.querySelector('input[type=file]');
    let picture = null;
    let [x, y] = [0, 0];

    // The side of the square that is cut, in pixels of the picture.
    const side = () => Math.min(picture.width, picture.height) / Number(zoom.value);
    const within = (at, length) => Math.min(Math.max(at, side() / 2), length - side() / 2);

    function draw(on) {
      [x, y] = [within(x, picture.width), within(y, picture.height)];
      const pen = on.getContext('2d');
      pen.clearRect(0, 0, on.width, on.height);
      const [left, top] = [x - side() / 2, y - side() / 2];
      pen.drawImage(picture, left, top, side(), side(), 0, 0, on.width, on.height);
    }

    function move(across, down) {
      [x, y] = [x + across, y + down];
      draw(canvas);
    }

    input.addEventListener('change', async () => {
      const [file] = input.files;
      // What is no picture is judged by the server.
      picture = file ? await createImageBitmap(file).catch(() => null) : null;
      box.hidden = picture === null;
      if (!picture) return;
      zoom.value = '1';
      [x, y] = [picture.width / 2, picture.height / 2];
      draw(canvas);
    });
    zoom.addEventListener('input', () => draw(canvas));
    canvas.addEventListener('pointerdown', ({ pointerId }) => canvas.setPointerCapture(pointerId));
    canvas.addEventListener('pointermove', ({ pointerId, movementX, movementY }) => {
      if (!canvas.hasPointerCapture(pointerId)) return;
      const scale = side() / canvas.clientWidth;
      move(-movementX * scale, -movementY * scale);
    });
    canvas.addEventListener('keydown', (event) => {
      const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      const step = steps[event.key];
      if (!step) return;
      event.preventDefault();
      move((step[0] * side()) / 20, (step[1] * side()) / 20);
    });
    form.addEventListener('submit', (event) => {
      if (!picture) return;
      event.preventDefault();
      const cut = document.createElement('canvas');
      cut.width = sent;
      cut.height = sent;
      draw(cut);
      cut.toBlob((blob) => {
        const files = new DataTransfer();
        files.items.add(new File([blob], 'picture', { type: blob.type }));
        input.files = files.files;
        form.submit();
      }, 'image/png');
    });
  }
})();
